"""The signer: signs the tree's size and root, and refuses whatever contradicts what it signed.

A process and an account of its own, because its keys are worth what nobody else can do with them.
It trusts the database for nothing but new leaves: the tree it signed last, with all that is needed
to make that one grow, lies in a file of its own, synced before anything is published. A tree that
is shorter, different or does not follow from that file is not signed, whoever made it.

    python -m casino.signer run|init|status|adopt|key new|key retire ID|seal request NAME

No Django here: psycopg and casino.tlog are all it knows. docs/operations.md explains its use.
"""
