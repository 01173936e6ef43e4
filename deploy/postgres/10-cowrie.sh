#!/bin/sh
# Run once, when the volume of the database is new: the role that the service works as. It owns its database and may create
# roles, and is no superuser: with one the service refuses to start in production.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres -v password="$(cat "$COWRIE_PASSWORD_FILE")" <<'SQL'
create role cowrie login createrole password :'password';
alter database cowrie owner to cowrie;
\connect cowrie
create extension if not exists vector;
create extension if not exists pg_stat_statements;
SQL
