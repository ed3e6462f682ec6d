"""The law's pages: rulebooks, articles, figures, what could not be decided."""
