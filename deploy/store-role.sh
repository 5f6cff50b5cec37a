#!/bin/sh
# Makes the store's role, which is no superuser, and has it own the database and all that a store has made in it. PostgreSQL's image runs
# this for a new volume; docs/install.md (In containers) says how to run it for an older one. Run again, it sets the password.
set -e
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
\getenv password DATABASE_PASSWORD
begin;
select 'create role store' where not exists (select from pg_roles where rolname = 'store') \gexec
alter role store login password :'password';
select format('alter database %I owner to store', current_database()) \gexec
create temporary view own as select oid, nspname from pg_namespace where nspname = 'public' or nspname like 'colophon\_replaced\_%';
select format('alter schema %I owner to store', nspname) from own \gexec
select format('alter table %s owner to store', oid::regclass) from pg_class
  where relnamespace in (select oid from own) and relkind in ('r', 'p', 'v', 'm') \gexec
select format('alter routine %s owner to store', oid::regprocedure) from pg_proc
  where pronamespace in (select oid from own)
    and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e') \gexec
commit;
SQL
