"""What a statement asks of the database."""


def counts_to_the_end(statement: str) -> bool:
    """Whether a statement counts rows with no bound: neither a LIMIT nor certain days or runs."""
    text = statement.upper()
    bounded = "LIMIT" in text or '"GAMING_DAY" BETWEEN' in text or "AUDIT_RUN" in text
    return "COUNT(" in text and not bounded
