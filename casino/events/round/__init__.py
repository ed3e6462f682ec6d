"""The round record: its fields, its form, its closed lists of words."""
