"""When the house is away: blank sheets of each register, to be filled in by hand."""
