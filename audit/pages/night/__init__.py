"""The night on one page, and rates over weeks and months."""
