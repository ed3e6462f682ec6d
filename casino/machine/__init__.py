"""What is known of the machine and the server the house runs on, and whether they can hold it."""
