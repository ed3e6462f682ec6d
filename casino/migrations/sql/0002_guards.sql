-- What the book refuses, whoever asks. ENABLE ALWAYS: an ordinary trigger sleeps while
-- session_replication_role is 'replica'.

CREATE FUNCTION book_refuse() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'the book is never altered: % on % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'insufficient_privilege',
              HINT = 'Record a correction: a new entry that names the one it corrects.';
END $$;

CREATE FUNCTION book_instant(moment timestamptz) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- An entry's columns say what its bytes say, it was stamped just now, and it follows the one before.
CREATE FUNCTION book_stamp() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET datestyle = 'ISO, YMD' AS $$
DECLARE
    body jsonb := convert_from(NEW.entry, 'UTF8')::jsonb;
    stream_name text;
    before bytea;
BEGIN
    SELECT name INTO STRICT stream_name FROM book_stream WHERE id = NEW.stream_id;
    IF NEW.n > 1 THEN
        SELECT leaf_hash INTO before FROM book_entry
        WHERE stream_id = NEW.stream_id AND n = NEW.n - 1;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'entry % of % follows none', NEW.n, stream_name
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
    END IF;
    IF body ->> 'stream' IS DISTINCT FROM stream_name
        OR (body ->> 'n')::bigint IS DISTINCT FROM NEW.n
        OR body ->> 'key' IS DISTINCT FROM NEW.key::text
        OR body ->> 'kind' IS DISTINCT FROM NEW.kind
        OR body ->> 'day' IS DISTINCT FROM NEW.gaming_day::text
        OR body ->> 'occurred' IS DISTINCT FROM book_instant(NEW.occurred_at)
        OR body ->> 'at' IS DISTINCT FROM book_instant(NEW.recorded_at)
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

CREATE TRIGGER book_entry_stamp BEFORE INSERT ON book_entry
    FOR EACH ROW EXECUTE FUNCTION book_stamp();
ALTER TABLE book_entry ENABLE ALWAYS TRIGGER book_entry_stamp;

DO $$
DECLARE
    guarded text;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['book_entry', 'book_leaf', 'book_tree'] LOOP
        EXECUTE format('CREATE TRIGGER %1$s_rows BEFORE UPDATE OR DELETE ON %1$s '
            'FOR EACH ROW EXECUTE FUNCTION book_refuse()', guarded);
        EXECUTE format('CREATE TRIGGER %1$s_whole BEFORE TRUNCATE ON %1$s '
            'FOR EACH STATEMENT EXECUTE FUNCTION book_refuse()', guarded);
        EXECUTE format('ALTER TABLE %1$s ENABLE ALWAYS TRIGGER %1$s_rows', guarded);
        EXECUTE format('ALTER TABLE %1$s ENABLE ALWAYS TRIGGER %1$s_whole', guarded);
    END LOOP;
END $$;

-- A stream's head only ever moves to the entry that was just written.
CREATE FUNCTION book_head() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.id = OLD.id AND NEW.name = OLD.name AND NEW.head_n >= OLD.head_n
        AND EXISTS (SELECT FROM book_entry WHERE stream_id = NEW.id AND n = NEW.head_n
                    AND leaf_hash = NEW.head_hash)
        AND NOT EXISTS (SELECT FROM book_entry WHERE stream_id = NEW.id AND n = NEW.head_n + 1)
    THEN
        RETURN NEW;
    END IF;
    IF TG_OP = 'INSERT' AND NEW.head_n = 0 AND NEW.head_hash IS NULL THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the head of a stream only follows its entries'
        USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER book_stream_rows BEFORE INSERT OR UPDATE OR DELETE ON book_stream
    FOR EACH ROW EXECUTE FUNCTION book_head();
CREATE TRIGGER book_stream_whole BEFORE TRUNCATE ON book_stream
    FOR EACH STATEMENT EXECUTE FUNCTION book_refuse();
ALTER TABLE book_stream ENABLE ALWAYS TRIGGER book_stream_rows;
ALTER TABLE book_stream ENABLE ALWAYS TRIGGER book_stream_whole;
