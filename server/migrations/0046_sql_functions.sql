-- Functions are defined in sql/functions and applied again when their text changes. Every text that was applied is
-- recorded, so that a replica of an earlier release does not restore its own.
create table sql_functions (
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now(),
  primary key (name, checksum)
);

do $$
begin
  if exists (select from pg_roles where rolname = 'cowrie_app') then
    revoke all on sql_functions from cowrie_app;
  end if;
end $$;

-- Plain names for row-level security. The policies of existing tables follow the rename. The old names stay for the release
-- before this one, which runs beside it during a rollout; sql/functions has the current text of all four.
alter function current_reach() rename to tenant_scope;
alter procedure wall_by_org(regclass) rename to enable_tenant_rls;

create function current_reach() returns text language sql stable parallel safe as $$ select public.tenant_scope() $$;
create procedure wall_by_org(walled regclass) language plpgsql as $$
begin
  call public.enable_tenant_rls(walled);
end $$;
