-- Groups of a directory service. The policy of the organisation maps their names to roles.
create table scim_groups (
  id text primary key,
  org_id text not null references orgs,
  display_name text not null check (length(display_name) between 1 and 200),
  external_id text check (length(external_id) between 1 and 200),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index scim_groups_by_name on scim_groups (org_id, lower(display_name));
call enable_tenant_rls('scim_groups');

create table scim_group_members (
  org_id text not null references orgs,
  group_id text not null references scim_groups on delete cascade,
  user_id text not null references users,
  primary key (group_id, user_id)
);
create index scim_group_members_by_user on scim_group_members (org_id, user_id);
call enable_tenant_rls('scim_group_members');

-- The names of the groups of each user, for the role at a sign-in.
create view directory_user_groups with (security_invoker = true) as
  select m.org_id, m.user_id, g.display_name as name
  from scim_group_members m join scim_groups g on g.id = m.group_id;

do $$
begin
  if exists (select from pg_roles where rolname = 'cowrie_app') then
    revoke insert, update, delete on directory_user_groups from cowrie_app;
  end if;
end $$;
