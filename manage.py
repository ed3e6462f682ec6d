#!/usr/bin/env python
"""The commands of the house: `manage.py help` lists them."""

import os
import sys


def main() -> None:
    """Run one command line. Raises: ImportError, when Django is not in this environment."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    if sys.argv[1:] in (["--version"], ["version"]):
        from casino import __version__

        sys.stdout.write(f"Livro da Sala {__version__}\n")
        return
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
