"""Where programs ask how the house is; without a slash at the end, as such programs expect it."""

from django.urls import path

from casino.web.monitoring.monitoring_pages import healthz, metrics, readyz
from casino.web.monitoring.readiness import TO_RECORD

urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("readyz/records", readyz, {"names": TO_RECORD}, name="readyz-records"),
    path("metrics", metrics, name="metrics"),
]
