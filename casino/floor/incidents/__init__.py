"""Incidents, complaints, interruptions."""
