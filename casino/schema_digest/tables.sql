-- What a database looks like, as far as a dump brings it along. Rows (table, what, name, text): the table a thing belongs
-- to, which thing it is, how it looks. Asked with search_path = pg_catalog, so that all other names come out in full.

WITH ours AS (
    SELECT oid, nspname, nspowner, nspacl FROM pg_namespace
    WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
), tables AS (
    SELECT c.*, n.nspname || '.' || c.relname AS name FROM pg_class c JOIN ours n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c')
), functions AS (
    SELECT p.*, p.oid::regprocedure::text AS name FROM pg_proc p JOIN ours n ON n.oid = p.pronamespace
), rights AS (
    SELECT NULL AS place, 'right' AS what, 'schema ' || nspname || ' ' AS thing, nspowner AS owner,
        coalesce(nspacl, acldefault('n', nspowner)) AS acl FROM ours
    UNION ALL
    SELECT name, 'right', '', relowner,
        coalesce(relacl, acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", relowner))
    FROM tables WHERE relkind <> 'c'
    UNION ALL
    SELECT t.name, 'right to a column', a.attname || ' ', t.relowner, a.attacl
    FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid WHERE a.attacl IS NOT NULL AND NOT a.attisdropped
    UNION ALL
    SELECT NULL, 'right', 'function ' || name || ' ', proowner, coalesce(proacl, acldefault('f', proowner)) FROM functions
    UNION ALL
    SELECT NULL, 'right by default', concat_ws(' ', pg_get_userbyid(d.defaclrole), n.nspname, d.defaclobjtype) || ' ',
        d.defaclrole, d.defaclacl
    FROM pg_default_acl d LEFT JOIN pg_namespace n ON n.oid = d.defaclnamespace
), foreigners AS (
    -- Catalogues in which nothing of ours stands: what a user made there has a number from 16384 on.
    SELECT 'pg_am'::regclass AS catalogue, oid FROM pg_am UNION ALL SELECT 'pg_cast'::regclass, oid FROM pg_cast
    UNION ALL SELECT 'pg_collation'::regclass, oid FROM pg_collation
    UNION ALL SELECT 'pg_conversion'::regclass, oid FROM pg_conversion
    UNION ALL SELECT 'pg_foreign_data_wrapper'::regclass, oid FROM pg_foreign_data_wrapper
    UNION ALL SELECT 'pg_foreign_server'::regclass, oid FROM pg_foreign_server
    UNION ALL SELECT 'pg_language'::regclass, oid FROM pg_language
    UNION ALL SELECT 'pg_opclass'::regclass, oid FROM pg_opclass
    UNION ALL SELECT 'pg_operator'::regclass, oid FROM pg_operator
    UNION ALL SELECT 'pg_opfamily'::regclass, oid FROM pg_opfamily
    UNION ALL SELECT 'pg_publication'::regclass, oid FROM pg_publication
    UNION ALL SELECT 'pg_transform'::regclass, oid FROM pg_transform
    UNION ALL SELECT 'pg_ts_config'::regclass, oid FROM pg_ts_config
    UNION ALL SELECT 'pg_ts_dict'::regclass, oid FROM pg_ts_dict
)

SELECT NULL::text, 'schema'::text, nspname::text, 'owner ' || pg_get_userbyid(nspowner) FROM ours

UNION ALL
SELECT name, 'table', '', concat_ws(' ', 'owner', pg_get_userbyid(relowner), 'persistence', relpersistence,
    'identity', relreplident, CASE WHEN relrowsecurity THEN 'row security' END,
    CASE WHEN relforcerowsecurity THEN 'row security forced' END, reloptions::text)
FROM tables

UNION ALL  -- what only some tables are; an ordinary one has no such row, so that a month is like its parent
SELECT t.name, 'kind', '', concat_ws(' ', t.relkind, pg_get_partkeydef(t.oid),
    CASE WHEN t.relkind IN ('v', 'm') THEN regexp_replace(pg_get_viewdef(t.oid), '\s+', ' ', 'g') END,
    s.seqtypid::regtype || ' by ' || s.seqincrement || ' from ' || s.seqmin || ' to ' || s.seqmax
        || CASE WHEN s.seqcycle THEN ' and again' ELSE '' END)
FROM tables t LEFT JOIN pg_sequence s ON s.seqrelid = t.oid WHERE t.relkind <> 'r'

UNION ALL
SELECT t.name, 'part', '',
    'of ' || i.inhparent::regclass || ' ' || coalesce(pg_get_expr(t.relpartbound, t.oid), 'by inheritance')
FROM tables t JOIN pg_inherits i ON i.inhrelid = t.oid

UNION ALL
SELECT t.name, 'column', a.attname, concat_ws(' ', format_type(a.atttypid, a.atttypmod),
    CASE WHEN a.attnotnull THEN 'not null' END, CASE WHEN a.attcollation <> y.typcollation THEN 'collate ' || l.collname END,
    CASE a.attidentity WHEN 'a' THEN 'identity always' WHEN 'd' THEN 'identity' END,
    CASE a.attgenerated WHEN 's' THEN 'stored' WHEN 'v' THEN 'virtual' END, '= ' || pg_get_expr(d.adbin, d.adrelid))
FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type y ON y.oid = a.atttypid LEFT JOIN pg_collation l ON l.oid = a.attcollation
LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE t.relkind <> 'S'

UNION ALL  -- from PostgreSQL 18 on a NOT NULL is a constraint too; the column says it already
SELECT t.name, 'constraint', o.conname, pg_get_constraintdef(o.oid)
FROM tables t JOIN pg_constraint o ON o.conrelid = t.oid WHERE o.contype <> 'n'

UNION ALL
SELECT t.name, 'index', i.relname, concat_ws(' ',
    regexp_replace(pg_get_indexdef(i.oid), ' INDEX .* USING ', ' INDEX USING '),
    CASE WHEN NOT x.indisvalid THEN 'not valid' END, CASE WHEN NOT x.indisready THEN 'not ready' END,
    CASE WHEN NOT x.indislive THEN 'not live' END)
FROM tables t JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid = x.indexrelid

UNION ALL
SELECT t.name, 'trigger', g.tgname, CASE g.tgenabled WHEN 'A' THEN 'always on' WHEN 'O' THEN 'NOT ALWAYS ON'
    WHEN 'D' THEN 'DISABLED' ELSE 'ONLY FOR REPLICAS' END || ' ' || pg_get_triggerdef(g.oid)
FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid WHERE NOT g.tgisinternal

UNION ALL  -- the triggers behind foreign keys: named by numbers, so they are told by what they call
SELECT t.name, 'foreign key trigger', g.tgfoid::regproc || ' for ' || g.tgconstrrelid::regclass,
    count(*) || CASE g.tgenabled WHEN 'O' THEN ' on' WHEN 'D' THEN ' DISABLED' ELSE ' changed' END
FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid WHERE g.tgisinternal GROUP BY 1, 3, g.tgenabled

UNION ALL
SELECT t.name, 'rule', r.rulename, r.ev_enabled::text || ' ' || pg_get_ruledef(r.oid)
FROM tables t JOIN pg_rewrite r ON r.ev_class = t.oid WHERE r.rulename <> '_RETURN'

UNION ALL
SELECT t.name, 'policy', p.polname, concat_ws(' ', p.polcmd, CASE WHEN p.polpermissive THEN 'permissive' END,
    ARRAY(SELECT pg_get_userbyid(unnest(p.polroles)) ORDER BY 1)::text,
    pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
FROM tables t JOIN pg_policy p ON p.polrelid = t.oid

UNION ALL
SELECT NULL, 'function', f.name, concat_ws(' ', f.prokind, 'gives', pg_get_function_result(f.oid),
    'takes', pg_get_function_arguments(f.oid), 'in', l.lanname, 'owner', pg_get_userbyid(f.proowner),
    CASE WHEN f.prosecdef THEN 'as its owner' END, 'volatility', f.provolatile, 'parallel', f.proparallel,
    CASE WHEN f.proisstrict THEN 'strict' END, CASE WHEN f.proleakproof THEN 'leakproof' END, f.proconfig::text, f.probin,
    'text', encode(sha256(convert_to(f.prosrc || coalesce(pg_get_function_sqlbody(f.oid), ''), 'UTF8')), 'hex'))
FROM functions f JOIN pg_language l ON l.oid = f.prolang

UNION ALL
SELECT NULL, 'type', y.oid::regtype::text, concat_ws(' ', y.typtype, 'owner', pg_get_userbyid(y.typowner),
    format_type(y.typbasetype, y.typtypmod), y.typdefault,
    (SELECT string_agg(e.enumlabel, ',' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = y.oid),
    (SELECT string_agg(pg_get_constraintdef(o.oid), ' ' ORDER BY o.conname) FROM pg_constraint o WHERE o.contypid = y.oid))
FROM pg_type y JOIN ours n ON n.oid = y.typnamespace LEFT JOIN pg_class c ON c.oid = y.typrelid
WHERE y.typelem = 0 AND (c.oid IS NULL OR c.relkind = 'c')

-- An owner has MAINTAIN from PostgreSQL 17 on without anybody having granted it.
UNION ALL
SELECT s.place, s.what, s.thing || 'of ' || coalesce(r.rolname, 'PUBLIC'),
    string_agg(a.privilege_type || CASE WHEN a.is_grantable THEN '*' ELSE '' END, ',' ORDER BY a.privilege_type)
FROM rights s, aclexplode(s.acl) a LEFT JOIN pg_roles r ON r.oid = a.grantee
WHERE a.privilege_type <> 'MAINTAIN' OR a.grantee <> s.owner
GROUP BY s.place, s.what, s.thing, r.rolname

UNION ALL
SELECT NULL, i.type, i.identity, '' FROM foreigners f, pg_identify_object(f.catalogue, f.oid, 0) i WHERE f.oid >= 16384

UNION ALL
SELECT NULL, 'extension', extname, extversion FROM pg_extension

UNION ALL
SELECT NULL, 'event trigger', evtname,
    concat_ws(' ', evtevent, evtfoid::regproc, evtenabled, 'owner', pg_get_userbyid(evtowner), evttags::text)
FROM pg_event_trigger

UNION ALL
SELECT NULL, 'subscription', s.subname, s.subenabled::text
FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid WHERE d.datname = current_database()
