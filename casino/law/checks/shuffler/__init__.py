"""Checks of an automatic shuffler: loading, unloading, troubles. Law: PT art. 51 to 60."""
