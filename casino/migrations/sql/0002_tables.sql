-- The book's own tables. Written once: later migrations add tables, they change no column of these.

CREATE TABLE book_stream (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL CONSTRAINT book_stream_name_once UNIQUE
        CONSTRAINT book_stream_name_form CHECK (name ~ '^[a-z]{1,20}(/[A-Za-z0-9._-]{1,40})?$'),
    head_n bigint NOT NULL DEFAULT 0,
    head_hash bytea
);

CREATE TABLE book_entry (
    id uuid PRIMARY KEY,
    stream_id bigint NOT NULL REFERENCES book_stream,
    n bigint NOT NULL CHECK (n >= 1),
    key uuid NOT NULL CONSTRAINT book_entry_key_once UNIQUE,
    kind text NOT NULL CHECK (kind ~ '^[a-z][a-z0-9-]{0,60}/[1-9][0-9]{0,3}$'),
    gaming_day date NOT NULL CONSTRAINT book_entry_day_there_is
        CHECK (gaming_day BETWEEN '1989-12-30' AND '2200-01-01'),
    table_code text NOT NULL,
    partida_id text NOT NULL,
    occurred_at timestamptz NOT NULL CONSTRAINT book_entry_moment_there_is
        CHECK (occurred_at >= '1990-01-01Z' AND occurred_at < '2200-01-01Z'),
    recorded_at timestamptz NOT NULL,
    -- 60 KiB: an entry bundle of a tiled log has a 16-bit length.
    entry bytea NOT NULL CONSTRAINT book_entry_within_60_kib CHECK (octet_length(entry) <= 61440),
    leaf_hash bytea NOT NULL GENERATED ALWAYS AS (sha256('\x00'::bytea || entry)) STORED,
    CONSTRAINT book_entry_numbered_once UNIQUE (stream_id, n)
);
CREATE INDEX book_entry_partida ON book_entry (partida_id, kind) WHERE partida_id <> '';
CREATE INDEX book_entry_day ON book_entry (gaming_day, kind);
CREATE INDEX book_entry_table ON book_entry (table_code, id) WHERE table_code <> '';
CREATE INDEX book_entry_leaf ON book_entry (leaf_hash);

CREATE TABLE book_pending (
    entry_id uuid PRIMARY KEY REFERENCES book_entry
);

CREATE TABLE book_leaf (
    idx bigint PRIMARY KEY CHECK (idx >= 0),
    entry_id uuid NOT NULL UNIQUE REFERENCES book_entry
);

CREATE TABLE book_tree (
    size bigint PRIMARY KEY CHECK (size >= 1),
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    frontier bytea NOT NULL,
    made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE job_outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    topic text NOT NULL CHECK (topic <> ''),
    key text NOT NULL UNIQUE,
    args jsonb NOT NULL,
    entry_id uuid REFERENCES book_entry,
    due_at timestamptz NOT NULL,
    published_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    done_at timestamptz
);
CREATE INDEX job_outbox_open ON job_outbox (due_at) WHERE done_at IS NULL;
