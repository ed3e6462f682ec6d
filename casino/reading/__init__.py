"""Reading what others recorded: strict JSON, one round a line, every refusal with line and path."""
