"""The model of one round: which cards count, what each hand makes, what each wager was due."""
