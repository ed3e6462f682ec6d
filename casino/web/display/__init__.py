"""Values as they are shown: cells, amounts, cards, filters, CSV."""
