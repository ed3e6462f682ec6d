"""A house to train in: the same program on a book of its own, which says with its first entry that
it is one. Settings name it by TRAINING=1; nothing of it is loaded without.
"""
