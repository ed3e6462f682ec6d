-- The roles of the house and its two databases. Run by a superuser, with psql 15 or newer, as often as one likes:
--     OWNER_PASSWORD=... APP_PASSWORD=... WEB_PASSWORD=... MACHINES_PASSWORD=... WORKER_PASSWORD=... WATCH_PASSWORD=... \
--     READER_PASSWORD=... SEQUENCER_PASSWORD=... SIGNER_PASSWORD=... BROKER_PASSWORD=... \
--         psql --set ON_ERROR_STOP=1 --file casino/local/roles.sql postgres
-- Who may touch which table is written by the migrations, which run as `owner`.

SET log_statement = 'none';          -- the passwords below are no business of the log
SET log_min_duration_statement = -1;
SET log_min_error_statement = 'panic';
SET password_encryption = 'scram-sha-256';

\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD
\getenv web_password WEB_PASSWORD
\getenv machines_password MACHINES_PASSWORD
\getenv worker_password WORKER_PASSWORD
\getenv watch_password WATCH_PASSWORD
\getenv reader_password READER_PASSWORD
\getenv sequencer_password SEQUENCER_PASSWORD
\getenv signer_password SIGNER_PASSWORD
\getenv broker_password BROKER_PASSWORD

-- owner: all DDL, and nothing at run time. app: whoever runs a command at the terminal. web: the pages, which write as
-- people and as nobody else. machines: what comes by a machine's token. worker: the jobs. watch: hands jobs on, and looks
-- whether the house works. reader: inspectors. sequencer: builds the tree behind the book. signer: signs it. broker: the
-- queue's own database and nothing of the book. What each may do to which table: casino/schema_digest/role_rights.py.
SELECT format('CREATE ROLE %I', name)
FROM unnest(ARRAY['owner', 'app', 'web', 'machines', 'worker', 'watch', 'reader', 'sequencer', 'signer', 'broker']) AS name
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name)
\gexec

ALTER ROLE owner LOGIN NOSUPERUSER CREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'owner_password';
ALTER ROLE app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'app_password';
ALTER ROLE web LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'web_password';
ALTER ROLE machines LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'machines_password';
ALTER ROLE worker LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'worker_password';
ALTER ROLE watch LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'watch_password';
ALTER ROLE reader LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'reader_password';
ALTER ROLE sequencer LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'sequencer_password';
ALTER ROLE signer LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'signer_password';
ALTER ROLE broker LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'broker_password';

-- A temporary table named like a real one would hide it from whoever does not say which he means.
SELECT format('ALTER ROLE %I SET search_path = public, pg_temp', name)
FROM unnest(ARRAY['owner', 'app', 'web', 'machines', 'worker', 'watch', 'reader', 'sequencer', 'signer', 'broker']) AS name
\gexec

-- A stuck page must not hold what others wait for.
SELECT format(
    'ALTER ROLE %I SET statement_timeout = %L;'
    'ALTER ROLE %1$I SET lock_timeout = ''3s'';'
    'ALTER ROLE %1$I SET idle_in_transaction_session_timeout = ''30s''',
    name, CASE name WHEN 'sequencer' THEN '60s' ELSE '15s' END)
FROM unnest(ARRAY['app', 'web', 'machines', 'worker', 'watch', 'reader', 'sequencer', 'signer']) AS name
\gexec
ALTER ROLE reader SET default_transaction_read_only = on;
-- The book lies on a solid disk or in memory: an index costs little more than reading on.
-- A statement that fails may hold a name or a note: the server's log says what failed, not with what.
SELECT format(
    'ALTER ROLE %I SET random_page_cost = 1.1;'
    'ALTER ROLE %1$I SET log_min_error_statement = ''panic'';'
    'ALTER ROLE %1$I SET log_parameter_max_length_on_error = 0', name)
FROM unnest(ARRAY['app', 'web', 'machines', 'worker', 'watch']) AS name
\gexec
ALTER ROLE reader SET random_page_cost = 1.1;
-- A migration waits for a lock a moment and then gives up, instead of making everybody queue behind it.
ALTER ROLE owner SET lock_timeout = '10s';

SELECT 'CREATE DATABASE casino OWNER owner ENCODING ''UTF8'' TEMPLATE template0'
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'casino')
\gexec
SELECT 'CREATE DATABASE broker OWNER broker ENCODING ''UTF8'' TEMPLATE template0'
WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'broker')
\gexec

REVOKE ALL ON DATABASE casino, broker, postgres, template1 FROM PUBLIC;
GRANT CONNECT ON DATABASE casino TO app, web, machines, worker, watch, reader, sequencer, signer;

\connect casino
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO app, web, machines, worker, watch, reader, sequencer, signer;
\connect broker
REVOKE ALL ON SCHEMA public FROM PUBLIC;
