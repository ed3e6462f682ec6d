"""The auditor's pages: the overview, the law, a finding, a reconciliation on its way."""
