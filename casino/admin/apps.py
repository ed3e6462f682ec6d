"""Tells Django that `django.contrib.admin.site` is ours."""

from django.contrib.admin.apps import SimpleAdminConfig


class HouseAdminConfig(SimpleAdminConfig):
    """Django's admin with our site. What is registered is gathered by urls.py."""

    default_site = "casino.admin.site.HouseSite"
