-- The door and its guards as before and as strict, with fewer looks at the book.

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
    -- Of a parameter, every subscript would walk the array from its start; of a variable it does not.
    kinds text[] := p_kinds;
    payloads text[] := p_payloads;
    tables text[] := p_tables;
    partidas text[] := p_partidas;
    instant CONSTANT text := 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"';
    stream bigint;
    last_n bigint;
    last_leaf bytea;
    who text;
    checkpoint text;
    corrected text;
    target bytea;
    waits text;
BEGIN
    -- IS NOT TRUE: a NULL is no code either. One look at all three: no code holds a space.
    IF (p_door || ' ' || p_office || ' ' || p_staff
        ~ '^[A-Za-z0-9._-]{1,40} [A-Za-z0-9._-]{1,40} [A-Za-z0-9._-]{1,40}$') IS NOT TRUE THEN
        RAISE EXCEPTION 'door, office and staff are codes' USING ERRCODE = 'check_violation';
    END IF;
    IF (cardinality(p_ids) = ALL (ARRAY[cardinality(p_keys), cardinality(kinds), cardinality(payloads),
            cardinality(p_occurred), cardinality(p_days), cardinality(tables), cardinality(partidas),
            cardinality(p_supersedes)])) IS NOT TRUE THEN
        RAISE EXCEPTION 'the arrays do not run in step' USING ERRCODE = 'check_violation';
    END IF;
    who := '{"door":"' || p_door || '","office":"' || p_office || '","staff":"' || p_staff || '"}';
    -- A receipt is a promise: whatever the session chose, this transaction waits for the disk. (An
    -- assignment costs no query.)
    waits := set_config('synchronous_commit', 'on', true);
    SELECT s.id, s.head_n, s.head_hash INTO stream, last_n, last_leaf
    FROM book_stream s WHERE s.name = p_stream FOR UPDATE;
    IF NOT FOUND THEN
        stream := ledger_lock(p_stream);
        SELECT s.head_n, s.head_hash INTO STRICT last_n, last_leaf FROM book_stream s WHERE s.id = stream;
    END IF;
    -- After the stream's head was locked, and by itself: within a stream it never goes back.
    SELECT '{"root":"' || encode(c.root, 'hex') || '","size":' || c.size || '}' INTO checkpoint
    FROM book_checkpoint c ORDER BY c.size DESC LIMIT 1;
    FOR place IN 1 .. cardinality(p_ids) LOOP
        -- As json it is only read, which is enough: the guard parses the whole entry as jsonb.
        IF json_typeof(payloads[place]::json) <> 'object' OR left(payloads[place], 1) <> '{' THEN
            RAISE EXCEPTION 'a payload is an object' USING ERRCODE = 'check_violation';
        END IF;
        corrected := 'null';
        IF p_supersedes[place] <> 0 THEN
            SELECT e.leaf_hash INTO target FROM book_entry e
            WHERE e.stream_id = stream AND e.n = p_supersedes[place] AND e.kind = kinds[place];
            IF NOT FOUND THEN
                RAISE EXCEPTION 'what is corrected is an entry of the same stream and kind'
                    USING ERRCODE = 'foreign_key_violation';
            END IF;
            corrected := format('{"leaf":"%s","n":%s,"stream":"%s"}',
                                encode(target, 'hex'), p_supersedes[place], p_stream);
        END IF;
        last_n := last_n + 1;
        entry_id := p_ids[place];
        entry_n := last_n;
        entry_at := clock_timestamp();
        INSERT INTO book_entry (id, stream_id, n, key, kind, gaming_day, table_code, partida_id,
                                occurred_at, recorded_at, entry)
        VALUES (entry_id, stream, last_n, p_keys[place], kinds[place], p_days[place], tables[place],
                partidas[place], p_occurred[place], entry_at, convert_to(
            '{"at":"' || to_char(entry_at AT TIME ZONE 'UTC', instant) || '","cp":' || coalesce(checkpoint, 'null')
            || ',"day":"' || p_days[place] || '","key":"' || p_keys[place] || '","kind":"' || kinds[place]
            || '","n":' || last_n
            || ',"occurred":"' || to_char(p_occurred[place] AT TIME ZONE 'UTC', instant)
            || '","payload":' || payloads[place]
            || ',"prev":' || coalesce('"' || encode(last_leaf, 'hex') || '"', 'null')
            || ',"stream":"' || p_stream || '","supersedes":' || corrected
            || ',"v":1,"who":' || who || '}', 'UTF8'))
        RETURNING leaf_hash INTO last_leaf;
        entry_leaf := last_leaf;
        RETURN NEXT;
    END LOOP;
    INSERT INTO book_pending SELECT unnest(p_ids);
    UPDATE book_stream SET head_n = last_n, head_hash = last_leaf WHERE id = stream;
END $$;

-- As before, an entry's columns say what its bytes say, it was stamped just now, and it follows the one before.
-- The one before is the head, which its own guard keeps true, or lies within the same batch.
CREATE OR REPLACE FUNCTION book_stamp() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET datestyle = 'ISO, YMD' AS $$
DECLARE
    instant CONSTANT text := 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"';
    body jsonb := convert_from(NEW.entry, 'UTF8')::jsonb;
    stream_name text;
    head bigint;
    before bytea;
BEGIN
    SELECT s.name, s.head_n, s.head_hash INTO STRICT stream_name, head, before
    FROM book_stream s WHERE s.id = NEW.stream_id;
    IF NEW.n <> head + 1 THEN
        before := (SELECT e.leaf_hash FROM book_entry e
                   WHERE e.stream_id = NEW.stream_id AND e.n = NEW.n - 1);
    END IF;
    IF NEW.n > 1 AND before IS NULL THEN
        RAISE EXCEPTION 'entry % of % follows none', NEW.n, stream_name
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF body ->> 'stream' IS DISTINCT FROM stream_name
        OR (body ->> 'n')::bigint IS DISTINCT FROM NEW.n
        OR body ->> 'key' IS DISTINCT FROM NEW.key::text
        OR body ->> 'kind' IS DISTINCT FROM NEW.kind
        OR body ->> 'day' IS DISTINCT FROM NEW.gaming_day::text
        OR body ->> 'occurred' IS DISTINCT FROM to_char(NEW.occurred_at AT TIME ZONE 'UTC', instant)
        OR body ->> 'at' IS DISTINCT FROM to_char(NEW.recorded_at AT TIME ZONE 'UTC', instant)
        OR body ->> 'prev' IS DISTINCT FROM encode(before, 'hex')
        OR coalesce(body #>> '{payload,table}', NEW.table_code) <> NEW.table_code
        OR coalesce(body #>> '{payload,partida}', NEW.partida_id) <> NEW.partida_id
        OR stream_name LIKE 'table/%' AND stream_name <> 'table/' || NEW.table_code
    THEN
        RAISE EXCEPTION 'the columns of an entry and its bytes do not agree'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.recorded_at > clock_timestamp()
        OR NEW.recorded_at < clock_timestamp() - interval '10 seconds'
    THEN
        RAISE EXCEPTION 'nobody chooses when an entry was recorded'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;

-- A stream's head only ever moves to the entry that was just written.
CREATE OR REPLACE FUNCTION book_head() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.id = OLD.id AND NEW.name = OLD.name AND NEW.head_n >= OLD.head_n
        -- The last entry from there on is the one it moves to.
        AND (SELECT (e.n, e.leaf_hash) = (NEW.head_n, NEW.head_hash) FROM book_entry e
             WHERE e.stream_id = NEW.id AND e.n >= NEW.head_n ORDER BY e.n DESC LIMIT 1)
    THEN
        RETURN NEW;
    END IF;
    IF TG_OP = 'INSERT' AND NEW.head_n = 0 AND NEW.head_hash IS NULL THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the head of a stream only follows its entries'
        USING ERRCODE = 'insufficient_privilege';
END $$;
