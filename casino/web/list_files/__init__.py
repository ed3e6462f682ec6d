"""Lists taken out of the house: one source of rows, written as CSV, spreadsheet, JSON or all."""
