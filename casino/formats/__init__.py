"""How days, times and numbers are written, by language (settings.FORMAT_MODULE_PATH)."""
