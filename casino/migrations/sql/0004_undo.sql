DROP TABLE casino_round;
DROP FUNCTION ensure_round_partition;
DROP TRIGGER casino_private_value_rows ON casino_private_value;
DROP FUNCTION private_value_guard;
