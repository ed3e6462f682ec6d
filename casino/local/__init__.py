"""The house on one machine: `make run`. Its own database server and queue, and all its services.

Nothing here imports Django: what is started is recorded where everything lies by its environment.
`python -m casino.local` lists the commands; docs/operations.md explains them.
"""
