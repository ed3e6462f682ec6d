"""Pages of the progressive: what everybody may see of a pool, and what its overseers ask of it."""
