"""Loading and unloading the automatic shuffler before a witness."""
