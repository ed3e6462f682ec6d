"""What events, fields, codes and places are called on pages, in both languages."""
