"""What the tests tell: games, books, pools and people, built in as few words as can be."""
