"""Who may read and write what: offices held, open games, the policy of every kind of entry."""
