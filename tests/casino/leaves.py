"""The leaves of the tree and their places, as a reader sees them."""

import psycopg


def tree(book: psycopg.Connection) -> tuple[int, bytes]:
    found = book.execute("SELECT size, root FROM book_tree ORDER BY size DESC LIMIT 1").fetchone()
    assert found is not None
    return found[0], bytes(found[1])


def places(book: psycopg.Connection) -> list[tuple[int, str, int, bytes]]:
    return [
        (idx, stream, n, bytes(leaf))
        for idx, stream, n, leaf in book.execute(
            "SELECT l.idx, s.name, e.n, e.leaf_hash FROM book_leaf l"
            " JOIN book_entry e ON e.id = l.entry_id JOIN book_stream s ON s.id = e.stream_id"
            " ORDER BY l.idx"
        )
    ]
