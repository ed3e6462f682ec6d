"""Incidents that were made public, each with the breach of a simulated evening that is like it."""
