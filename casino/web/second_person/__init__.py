"""Pages on which a second person confirms, decides or withdraws."""
