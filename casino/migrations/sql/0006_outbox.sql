-- Forgets jobs that ended long ago; never one that is still to be done. How many it were.
CREATE FUNCTION outbox_forget(p_before timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    gone bigint;
BEGIN
    IF p_before > clock_timestamp() - interval '7 days' THEN
        RAISE EXCEPTION 'a job is remembered for a week at least' USING ERRCODE = 'check_violation';
    END IF;
    DELETE FROM job_outbox WHERE done_at < p_before;
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END $$;
REVOKE ALL ON FUNCTION outbox_forget FROM PUBLIC;
GRANT EXECUTE ON FUNCTION outbox_forget TO app;
