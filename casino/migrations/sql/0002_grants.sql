-- Who may do what to the book. Functions are callable by everybody unless this says otherwise.

REVOKE ALL ON FUNCTION ledger_lock, ledger_append, outbox_add, outbox_touch, outbox_claim, outbox_done FROM PUBLIC;
REVOKE ALL ON FUNCTION book_refuse, book_stamp, book_head, book_instant FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_lock, ledger_append, outbox_add, outbox_touch, outbox_claim, outbox_done TO app;
GRANT EXECUTE ON FUNCTION book_instant TO app, reader, sequencer, signer;

GRANT SELECT ON book_stream, book_entry, book_pending, book_leaf, book_tree, job_outbox TO app, reader;
GRANT SELECT ON book_stream, book_entry, book_pending, book_leaf, book_tree TO sequencer;
GRANT DELETE ON book_pending TO sequencer;
GRANT INSERT (idx, entry_id) ON book_leaf TO sequencer;
GRANT INSERT (size, root, frontier) ON book_tree TO sequencer;
GRANT SELECT ON book_leaf, book_tree TO signer;
