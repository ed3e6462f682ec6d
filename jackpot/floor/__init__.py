"""The floor's screens of the progressive: chips collected (S10), a prize won and paid (S11)."""
