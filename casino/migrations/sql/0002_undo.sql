-- Only for a development database: a book that holds anything refuses to be dropped.
DO $$ BEGIN
    IF EXISTS (SELECT FROM book_entry) THEN
        RAISE EXCEPTION 'the book holds entries: it is not dropped';
    END IF;
END $$;
DROP FUNCTION ledger_append, ledger_lock, outbox_add, outbox_touch, outbox_claim, outbox_done CASCADE;
DROP TABLE book_pending, book_leaf, book_tree, job_outbox, book_entry, book_stream CASCADE;
DROP FUNCTION book_refuse, book_stamp, book_head, book_instant CASCADE;
