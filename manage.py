#!/usr/bin/env python
"""The commands of the house: `manage.py help` lists them."""

import os
import sys


def main() -> None:
    """Run one command line. Raises: ImportError, when Django is not in this environment."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
