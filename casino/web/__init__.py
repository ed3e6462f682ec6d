"""The web library under the back office, the floor and the auditor's pages."""
