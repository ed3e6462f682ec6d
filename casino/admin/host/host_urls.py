"""The address of the administrator's page of the machine."""

from django.contrib import admin
from django.urls import path

from casino.admin.host.host_page import host_page

urlpatterns = [path("host/", admin.site.admin_view(host_page), name="host")]
