-- A private value is told once and may be erased, whole; it is never exchanged for another.
CREATE FUNCTION private_value_guard() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.id = OLD.id AND NEW.entry_id = OLD.entry_id AND NEW.field = OLD.field
        AND NEW.salt IS NULL AND NEW.value IS NULL
    THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a private value is erased, never changed'
        USING ERRCODE = 'insufficient_privilege';
END $$;
REVOKE ALL ON FUNCTION private_value_guard FROM PUBLIC;
CREATE TRIGGER casino_private_value_rows BEFORE UPDATE ON casino_private_value
    FOR EACH ROW EXECUTE FUNCTION private_value_guard();
ALTER TABLE casino_private_value ENABLE ALWAYS TRIGGER casino_private_value_rows;
GRANT SELECT, INSERT, UPDATE (salt, value) ON casino_private_value TO app;
