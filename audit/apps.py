"""Tells Django about this package: the gallery above the floor."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """Audit: the gallery above the floor."""

    name = "audit"
