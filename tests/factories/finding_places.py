"""What tells one finding of a partida from another."""

from typing import Final

WHERE: Final = {  # told apart
    "box", "complaint", "deck", "incident", "jackpot", "load", "number", "owner", "round", "shoe",
    "shuffler", "unload", "witness",
}  # fmt: skip
