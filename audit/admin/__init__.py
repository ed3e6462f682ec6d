"""The auditor's lists in the admin."""
