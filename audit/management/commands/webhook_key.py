"""``manage.py webhook_key NAME``: the key a receiver verifies a webhook's signature with."""

from argparse import ArgumentParser
from base64 import b64encode

from django.core.management.base import BaseCommand

from audit.mailing.webhooks import key_of


class Command(BaseCommand):
    """Prints it as Standard Webhooks writes it."""

    help = "Show the key that a webhook's receiver verifies its signature with."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The command line."""
        parser.add_argument("webhook")

    def handle(self, *args: object, **options: str) -> None:
        self.stdout.write(f"whsec_{b64encode(key_of(options['webhook'])).decode()}")
