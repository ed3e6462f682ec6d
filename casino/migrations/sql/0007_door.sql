-- Writes entries to one stream, in the order given, and moves its head once. The arrays run in
-- step; payloads arrive canonical; a superseded entry is named by its number in the same stream
-- (0 for none). Gives back, in order: id, n, leaf hash, moment of recording. Every entry names the newest
-- checkpoint there was: it cannot have been written before that one was signed.
CREATE OR REPLACE FUNCTION ledger_append(
    p_stream text, p_door text, p_office text, p_staff text,
    p_ids uuid[], p_keys uuid[], p_kinds text[], p_payloads text[], p_occurred timestamptz[],
    p_days date[], p_tables text[], p_partidas text[], p_supersedes bigint[]
) RETURNS TABLE (entry_id uuid, entry_n bigint, entry_leaf bytea, entry_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET datestyle = 'ISO, YMD' AS $$
DECLARE
    stream bigint;
    last_n bigint;
    last_leaf bytea;
    who text;
    checkpoint text;
    corrected text;
    target bytea;
    body text;
    item record;
BEGIN
    -- IS NOT TRUE: a NULL is no code either.
    IF (p_door ~ '^[A-Za-z0-9._-]{1,40}$' AND p_office ~ '^[A-Za-z0-9._-]{1,40}$'
        AND p_staff ~ '^[A-Za-z0-9._-]{1,40}$') IS NOT TRUE THEN
        RAISE EXCEPTION 'door, office and staff are codes' USING ERRCODE = 'check_violation';
    END IF;
    who := format('{"door":"%s","office":"%s","staff":"%s"}', p_door, p_office, p_staff);
    -- A receipt is a promise: whatever the session chose, this transaction waits for the disk.
    PERFORM set_config('synchronous_commit', 'on', true);
    stream := ledger_lock(p_stream);
    -- After the stream's head was locked: within a stream it never goes back.
    SELECT '{"root":"' || encode(c.root, 'hex') || '","size":' || c.size || '}' INTO checkpoint
    FROM book_checkpoint c ORDER BY c.size DESC LIMIT 1;
    SELECT s.head_n, s.head_hash INTO STRICT last_n, last_leaf FROM book_stream s WHERE s.id = stream;
    FOR item IN
        SELECT * FROM unnest(p_ids, p_keys, p_kinds, p_payloads, p_occurred, p_days, p_tables,
                             p_partidas, p_supersedes)
            WITH ORDINALITY AS t (id, key, kind, payload, occurred, day, table_code, partida,
                                  supersedes, place) ORDER BY place
    LOOP
        IF jsonb_typeof(item.payload::jsonb) <> 'object' OR left(item.payload, 1) <> '{' THEN
            RAISE EXCEPTION 'a payload is an object' USING ERRCODE = 'check_violation';
        END IF;
        corrected := 'null';
        IF item.supersedes <> 0 THEN
            SELECT e.leaf_hash INTO target FROM book_entry e
            WHERE e.stream_id = stream AND e.n = item.supersedes AND e.kind = item.kind;
            IF NOT FOUND THEN
                RAISE EXCEPTION 'what is corrected is an entry of the same stream and kind'
                    USING ERRCODE = 'foreign_key_violation';
            END IF;
            corrected := format('{"leaf":"%s","n":%s,"stream":"%s"}',
                                encode(target, 'hex'), item.supersedes, p_stream);
        END IF;
        last_n := last_n + 1;
        entry_at := clock_timestamp();
        body := '{"at":"' || book_instant(entry_at) || '","cp":' || coalesce(checkpoint, 'null') || ',"day":"' || item.day
            || '","key":"' || item.key || '","kind":"' || item.kind || '","n":' || last_n
            || ',"occurred":"' || book_instant(item.occurred) || '","payload":' || item.payload
            || ',"prev":' || coalesce('"' || encode(last_leaf, 'hex') || '"', 'null')
            || ',"stream":"' || p_stream || '","supersedes":' || corrected
            || ',"v":1,"who":' || who || '}';
        INSERT INTO book_entry (id, stream_id, n, key, kind, gaming_day, table_code, partida_id,
                                occurred_at, recorded_at, entry)
        VALUES (item.id, stream, last_n, item.key, item.kind, item.day, item.table_code, item.partida,
                item.occurred, entry_at, convert_to(body, 'UTF8'))
        RETURNING leaf_hash INTO last_leaf;
        entry_id := item.id;
        entry_n := last_n;
        entry_leaf := last_leaf;
        RETURN NEXT;
    END LOOP;
    INSERT INTO book_pending SELECT unnest(p_ids);
    UPDATE book_stream SET head_n = last_n, head_hash = last_leaf WHERE id = stream;
END $$;
