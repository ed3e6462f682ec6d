"""The admin: the web door for those who sit. Every write goes through `casino.recording`."""
