"""Records put right: corrected, taken back, withdrawn."""
