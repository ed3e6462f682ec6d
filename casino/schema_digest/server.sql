-- What belongs to the server and no dump brings along. Rows as in tables.sql. Told are those who may connect to this
-- database, and whoever has power over others, whether he may or not.

WITH roles AS (
    SELECT * FROM pg_roles
    WHERE rolname !~ '^pg_' AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
        OR has_database_privilege(oid, current_database(), 'CONNECT'))
), this AS (
    SELECT * FROM pg_database WHERE datname = current_database()
)

SELECT NULL::text, 'role'::text, rolname::text, concat_ws(' ', CASE WHEN rolcanlogin THEN 'logs in' END,
    CASE WHEN rolsuper THEN 'superuser' END, CASE WHEN rolcreaterole THEN 'makes roles' END,
    CASE WHEN rolcreatedb THEN 'makes databases' END, CASE WHEN rolreplication THEN 'replicates' END,
    CASE WHEN rolbypassrls THEN 'bypasses row security' END, CASE WHEN NOT rolinherit THEN 'inherits nothing' END,
    'until ' || rolvaliduntil)
FROM roles

UNION ALL
SELECT NULL, 'role', r.rolname || ' is in ' || g.rolname, CASE WHEN m.admin_option THEN 'and may let others in' ELSE '' END
FROM roles r JOIN pg_auth_members m ON m.member = r.oid JOIN pg_roles g ON g.oid = m.roleid

UNION ALL
SELECT NULL, 'setting', concat_ws(' ', 'of', coalesce(r.rolname, 'everybody'), 'in',
    CASE WHEN s.setdatabase = 0 THEN 'every database' ELSE 'this database' END), told
FROM pg_db_role_setting s LEFT JOIN roles r ON r.oid = s.setrole, unnest(s.setconfig) AS told
WHERE s.setdatabase IN (0, (SELECT oid FROM this)) AND (s.setrole = 0 OR r.oid IS NOT NULL)

UNION ALL
SELECT NULL, 'setting', 'of the server', name || '=' || setting FROM pg_settings
WHERE name IN ('fsync', 'full_page_writes', 'data_checksums')

UNION ALL
SELECT NULL, 'database', '',
    concat_ws(' ', 'owner', pg_get_userbyid(datdba), pg_encoding_to_char(encoding), datcollate, datctype)
FROM this

UNION ALL
SELECT NULL, 'right', 'database of ' || coalesce(r.rolname, 'PUBLIC'),
    string_agg(a.privilege_type || CASE WHEN a.is_grantable THEN '*' ELSE '' END, ',' ORDER BY a.privilege_type)
FROM this d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a LEFT JOIN pg_roles r ON r.oid = a.grantee
GROUP BY r.rolname

UNION ALL  -- what the server brought along: a superuser may give even sha256() another text
SELECT NULL, 'built-in functions', '', encode(sha256(convert_to(string_agg(concat_ws(' ', proname, proargtypes, prorettype,
    prosecdef, provolatile, proconfig, probin, prosrc, proacl), chr(10) ORDER BY proname, proargtypes::text, prosrc),
    'UTF8')), 'hex')
FROM pg_proc WHERE oid < 16384
