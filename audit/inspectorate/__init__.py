"""The inspectorate's own program: it witnesses and mirrors the logs of several casinos.

It needs no database of any casino: what it keeps lies in a folder of its own, with its own key. It
believes nothing it is sent: a checkpoint counts by its signature, an entry by the tree it is in. It
judges the mirrored rounds with this copy of the law, and says where a casino's findings differ.
"""
