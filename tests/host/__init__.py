"""The house on a server of its own."""
