"""Every address the house answers to. There is none yet: this stage works on files."""

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []
