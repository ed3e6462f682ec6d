"""What other programs, in other languages, say of what this one writes."""
