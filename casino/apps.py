"""Tells Django about this package: the floor, and the book it keeps."""

from django.apps import AppConfig


class CasinoConfig(AppConfig):
    """Casino: the floor, and the book it keeps."""

    name = "casino"
