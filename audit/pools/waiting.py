"""What of a pool may wait for somebody, by the name its alert goes by.

Apart from `pending`, so that the words of alerts are read without a database's models.
"""

from typing import Final

WIN: Final = "jackpot_cards_stay_open_until_paid"
SHORT: Final = "jackpot_prizes_as_approved"
TERMS: Final = "jackpot_terms_are_in_force"
SEAL: Final = "jackpot_sealed"
