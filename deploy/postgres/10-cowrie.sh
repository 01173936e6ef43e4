#!/bin/sh
# Runs once, when the database volume is new. Creates the role of the service: it owns its database and may create roles, but is
# not a superuser, because the service refuses to start in production with one.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres -v password="$(cat "$COWRIE_PASSWORD_FILE")" <<'SQL'
create role cowrie login createrole password :'password';
alter database cowrie owner to cowrie;
\connect cowrie
create extension if not exists vector;
create extension if not exists pg_stat_statements;
SQL
