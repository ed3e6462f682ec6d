-- What seals the book: the tree in tiles, signed checkpoints, what witnesses signed. And files that belong to
-- records, which may be erased like private values.

-- Full tiles of tlog-tiles: 256 hashes each. The rightmost, unfinished ones are made from the entries when asked for.
CREATE TABLE book_tile (
    level integer NOT NULL CHECK (level BETWEEN 0 AND 7),
    n bigint NOT NULL CHECK (n >= 0),
    hashes bytea NOT NULL CHECK (octet_length(hashes) = 8192),
    PRIMARY KEY (level, n)
);

-- Signed tree heads, as they were published: `note` is the signed note, byte for byte.
CREATE TABLE book_checkpoint (
    size bigint PRIMARY KEY CHECK (size >= 1),
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    note text NOT NULL CHECK (octet_length(note) <= 65536),
    signed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A witness's signature under a checkpoint: one line of a note, and the moment it names.
CREATE TABLE book_cosignature (
    size bigint NOT NULL REFERENCES book_checkpoint,
    line text NOT NULL CHECK (octet_length(line) <= 4096),
    cosigned_at timestamptz NOT NULL,
    taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (size, line)
);

DO $$
DECLARE
    guarded text;
BEGIN
    FOREACH guarded IN ARRAY ARRAY['book_tile', 'book_checkpoint', 'book_cosignature'] LOOP
        EXECUTE format('CREATE TRIGGER %1$s_rows BEFORE UPDATE OR DELETE ON %1$s '
            'FOR EACH ROW EXECUTE FUNCTION book_refuse()', guarded);
        EXECUTE format('CREATE TRIGGER %1$s_whole BEFORE TRUNCATE ON %1$s '
            'FOR EACH STATEMENT EXECUTE FUNCTION book_refuse()', guarded);
        EXECUTE format('ALTER TABLE %1$s ENABLE ALWAYS TRIGGER %1$s_rows', guarded);
        EXECUTE format('ALTER TABLE %1$s ENABLE ALWAYS TRIGGER %1$s_whole', guarded);
    END LOOP;
END $$;

-- A checkpoint is of a tree there was, and none is signed for a smaller tree than the one before.
CREATE FUNCTION book_checkpoint_stamp() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM book_tree WHERE size = NEW.size AND root = NEW.root) THEN
        RAISE EXCEPTION 'the tree never had this size and root'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF EXISTS (SELECT FROM book_checkpoint WHERE size > NEW.size) THEN
        RAISE EXCEPTION 'a larger tree was signed already'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION book_checkpoint_stamp FROM PUBLIC;
CREATE TRIGGER book_checkpoint_stamp BEFORE INSERT ON book_checkpoint
    FOR EACH ROW EXECUTE FUNCTION book_checkpoint_stamp();
ALTER TABLE book_checkpoint ENABLE ALWAYS TRIGGER book_checkpoint_stamp;

GRANT SELECT ON book_tile, book_checkpoint, book_cosignature TO app, reader, sequencer, signer;
GRANT INSERT (level, n, hashes) ON book_tile TO sequencer;
GRANT INSERT (size, root, note) ON book_checkpoint TO signer;
GRANT INSERT (size, line, cosigned_at) ON book_cosignature TO signer;
GRANT SELECT ON book_stream TO signer;
GRANT SELECT (id, stream_id, n, kind, leaf_hash, entry) ON book_entry TO signer;

-- A file that belongs to a record, named by its digest, which the record holds. Its content may be erased.
CREATE TABLE casino_attachment (
    sha256 text PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    media_type text NOT NULL,
    size bigint NOT NULL CHECK (size BETWEEN 0 AND 16777216),
    content bytea CHECK (octet_length(content) = size),
    stored_at timestamptz NOT NULL,
    CONSTRAINT attachment_is_what_it_is_called
        CHECK (content IS NULL OR encode(sha256(content), 'hex') = sha256)
);
CREATE FUNCTION attachment_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF (NEW.sha256, NEW.media_type, NEW.size, NEW.stored_at)
        = (OLD.sha256, OLD.media_type, OLD.size, OLD.stored_at) AND NEW.content IS NULL
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a file is erased, never changed' USING ERRCODE = 'insufficient_privilege';
END $$;
REVOKE ALL ON FUNCTION attachment_guard FROM PUBLIC;
CREATE TRIGGER casino_attachment_rows BEFORE UPDATE ON casino_attachment
    FOR EACH ROW EXECUTE FUNCTION attachment_guard();
ALTER TABLE casino_attachment ENABLE ALWAYS TRIGGER casino_attachment_rows;
GRANT SELECT, INSERT, UPDATE (content) ON casino_attachment TO app;
