"""Simulated evenings like incidents that were made public, judged as the house judges its own."""
