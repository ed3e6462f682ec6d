"""What reports show: each of these reads the book for one report, or for several."""
