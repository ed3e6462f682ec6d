-- What counts is decided by entries of the same stream, so each answer holds for a range of its
-- numbers: from entry `since_n` on, up to and without `until_n` (NULL: to this day).
--   A correction does not count until a second person approved it; what it corrects, from then on.
CREATE VIEW casino_not_counting WITH (security_invoker = true) AS
SELECT s.stream || ' ' || s.n || ' waits' AS row, s.stream, s.n, s.partida_id,
    s.n AS since_n, k.n AS until_n
FROM casino_supersession s
LEFT JOIN casino_correction k
    ON k.pending_stream = s.stream AND k.stream = s.stream AND k.pending_n = s.n
    AND k.decision = 'approved'
UNION ALL
SELECT s.stream || ' ' || s.n || ' replaces' AS row, s.stream, s.original_n, s.partida_id,
    k.n AS since_n, NULL AS until_n
FROM casino_supersession s
JOIN casino_correction k
    ON k.pending_stream = s.stream AND k.stream = s.stream AND k.pending_n = s.n
    AND k.decision = 'approved';

GRANT SELECT ON casino_not_counting TO app, reader;
