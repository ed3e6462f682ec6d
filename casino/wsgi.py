"""The door for a web server: ``casino.wsgi:application``."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

application = get_wsgi_application()

# Asking for the key once makes a server without one fail when it starts, not at the first visitor.
_ = settings.SECRET_KEY
