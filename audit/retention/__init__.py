"""How long personal data is kept, what falls due, what holds it back, and who erases it."""
