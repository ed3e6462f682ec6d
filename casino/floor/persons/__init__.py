"""Who is logged in at a tablet, and who is on duty."""
