"""Findings and explanations in words."""
