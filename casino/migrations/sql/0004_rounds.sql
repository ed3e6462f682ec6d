-- The rounds' shelf: a partition for each month of gaming days. Statement triggers are not inherited,
-- so each partition gets its own guard against TRUNCATE.

CREATE TABLE casino_round (
    entry_id uuid NOT NULL REFERENCES book_entry,
    stream text NOT NULL,
    n bigint NOT NULL,
    gaming_day date NOT NULL,
    table_code text NOT NULL,
    partida_id text NOT NULL,
    occurred_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL,
    staff text NOT NULL,
    office text NOT NULL,
    supersedes_leaf text NOT NULL,
    round uuid NOT NULL,
    shoe bigint,
    number bigint,
    dealer text NOT NULL,
    rulebook text NOT NULL,
    boxes bigint NOT NULL,
    staked_cents bigint NOT NULL,
    returned_cents bigint NOT NULL,
    bank text NOT NULL,
    voided text NOT NULL,
    PRIMARY KEY (gaming_day, entry_id)
) PARTITION BY RANGE (gaming_day);
CREATE INDEX round_day_table ON casino_round (gaming_day, table_code, n);
CREATE INDEX round_partida ON casino_round (partida_id, shoe, number);
CREATE INDEX round_uuid ON casino_round (round);

CREATE TRIGGER casino_round_whole BEFORE TRUNCATE ON casino_round
    FOR EACH STATEMENT EXECUTE FUNCTION book_refuse();
ALTER TABLE casino_round ENABLE ALWAYS TRIGGER casino_round_whole;

-- Makes the partition of that day's month, unless it is there. One at a time: two writers may both
-- be the first of a month.
CREATE FUNCTION ensure_round_partition(p_day date) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    first date := date_trunc('month', p_day)::date;
    part text := 'casino_round_' || to_char(p_day, 'YYYY_MM');
BEGIN
    IF p_day < '1990-01-01' OR p_day >= '2200-01-01' THEN
        RAISE EXCEPTION 'no rounds are kept for %', p_day USING ERRCODE = 'check_violation';
    END IF;
    IF to_regclass('public.' || part) IS NOT NULL THEN
        RETURN part;
    END IF;
    -- A lock on the table, not an advisory one: with it what others made meanwhile is seen.
    LOCK TABLE public.casino_round IN SHARE UPDATE EXCLUSIVE MODE;
    IF to_regclass('public.' || part) IS NOT NULL THEN
        RETURN part;
    END IF;
    EXECUTE format('CREATE TABLE public.%I (LIKE public.casino_round INCLUDING ALL)', part);
    EXECUTE format('CREATE TRIGGER %1$I BEFORE TRUNCATE ON public.%2$I '
        'FOR EACH STATEMENT EXECUTE FUNCTION book_refuse()', part || '_whole', part);
    EXECUTE format('ALTER TABLE public.%2$I ENABLE ALWAYS TRIGGER %1$I', part || '_whole', part);
    EXECUTE format('ALTER TABLE public.casino_round ATTACH PARTITION public.%I '
        'FOR VALUES FROM (%L) TO (%L)', part, first, (first + interval '1 month')::date);
    EXECUTE format('GRANT SELECT ON public.%I TO reader', part);
    RETURN part;
END $$;

REVOKE ALL ON FUNCTION ensure_round_partition FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_round_partition TO app;
