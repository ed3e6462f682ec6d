-- The security log: the application puts rows there and never changes one; what is old is forgotten
-- by this function alone.
GRANT SELECT, INSERT ON casino_security_event TO app;

-- Never what is younger than three months. How many rows it were.
CREATE FUNCTION security_log_forget(p_before timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    gone bigint;
BEGIN
    IF p_before > clock_timestamp() - interval '3 months' THEN
        RAISE EXCEPTION 'the security log is kept for three months at least'
            USING ERRCODE = 'check_violation';
    END IF;
    DELETE FROM casino_security_event WHERE at < p_before;
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END $$;
REVOKE ALL ON FUNCTION security_log_forget FROM PUBLIC;
GRANT EXECUTE ON FUNCTION security_log_forget TO app;
