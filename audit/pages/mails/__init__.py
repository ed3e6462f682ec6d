"""Alerts and digests that were sent to whoever asks, and where they are sent."""
