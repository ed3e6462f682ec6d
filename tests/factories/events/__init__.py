"""An event of every kind, told in full and told barely, typed by hand."""
