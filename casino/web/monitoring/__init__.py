"""What is said of the house to whoever looks after it from outside: docs/monitoring.md."""
