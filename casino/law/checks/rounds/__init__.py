"""Checks of a round: stakes, cards, decisions, side bets. Law: PT art. 12 to 37."""
