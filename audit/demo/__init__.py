"""What the demo's evening shows of the auditor: findings people worked on."""
