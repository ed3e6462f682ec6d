-- Who writes is asked by the book's own door. A page that was taken over, or has a fault, writes as people do and as
-- nobody else: it cures no finding and brings no round.

-- The role somebody came in as, or has set: one may only set a role one is a member of.
CREATE FUNCTION book_caller() RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE current_setting('role') WHEN 'none' THEN session_user::text ELSE current_setting('role') END
$$;

-- Whether the caller may write records of these kinds in this office. Whoever is no role of the running house (a command at
-- the terminal) may what the program lets him.
CREATE FUNCTION book_caller_may(p_office text, p_kinds text[]) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT CASE book_caller()
        WHEN 'web' THEN
            p_office NOT IN ('dispositivo', 'sistema') AND NOT p_kinds && ARRAY[{not_of_people}]
            OR p_office = 'sistema' AND p_kinds <@ ARRAY[{by_pages}]
        WHEN 'machines' THEN p_office = 'dispositivo' AND p_kinds <@ ARRAY[{of_machines}]
        WHEN 'watch' THEN false
        ELSE true
    END
$$;

ALTER FUNCTION ledger_append(text, text, text, text, uuid[], uuid[], text[], text[], timestamptz[], date[], text[], text[],
    bigint[]) RENAME TO ledger_write;

-- As `ledger_write`, by whoever may.
CREATE FUNCTION ledger_append(
    p_stream text, p_door text, p_office text, p_staff text,
    p_ids uuid[], p_keys uuid[], p_kinds text[], p_payloads text[], p_occurred timestamptz[],
    p_days date[], p_tables text[], p_partidas text[], p_supersedes bigint[]
) RETURNS TABLE (entry_id uuid, entry_n bigint, entry_leaf bytea, entry_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF book_caller_may(p_office, p_kinds) IS NOT TRUE THEN
        RAISE EXCEPTION '% may not write % as %', book_caller(), p_kinds, p_office
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN QUERY SELECT * FROM ledger_write(p_stream, p_door, p_office, p_staff, p_ids, p_keys, p_kinds, p_payloads,
        p_occurred, p_days, p_tables, p_partidas, p_supersedes);
END $$;

-- Says that a job's effect stands in the database; called in the effect's own transaction. Of a page only of what a tablet
-- held: whoever comes first writes it.
CREATE OR REPLACE FUNCTION outbox_done(p_key text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    UPDATE job_outbox SET done_at = clock_timestamp()
    WHERE key = p_key AND done_at IS NULL AND (topic = 'held-record' OR book_caller() NOT IN ('web', 'machines'));
    RETURN FOUND;
END $$;

REVOKE ALL ON FUNCTION ledger_write, ledger_append, book_caller, book_caller_may FROM PUBLIC;
REVOKE ALL ON FUNCTION ledger_write FROM app;
GRANT EXECUTE ON FUNCTION ledger_append TO app;
