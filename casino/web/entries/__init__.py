"""One entry on a page: what it holds, how it stands, its receipt."""
