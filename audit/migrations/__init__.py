"""What the database looks like, step by step."""
