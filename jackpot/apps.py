"""Tells Django about this package: the progressive room."""

from django.apps import AppConfig


class JackpotConfig(AppConfig):
    """Jackpot: the progressive room."""

    name = "jackpot"
