"""What a statement asks of the database."""


def counts_to_the_end(statement: str) -> bool:
    """Whether a statement counts rows with no bound: neither a LIMIT nor certain days or runs."""
    told = statement.upper()
    bounded = "LIMIT" in told or '"GAMING_DAY" BETWEEN' in told or "AUDIT_RUN" in told
    return "COUNT(" in told and not bounded
