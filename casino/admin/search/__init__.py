"""The search of lists, and of the whole house."""
