"""The progressive in the admin."""
