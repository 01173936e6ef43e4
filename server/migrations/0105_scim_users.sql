-- Users as the directory service of an organisation describes them. The account and the membership are elsewhere: a row
-- without a membership is a deactivated user.
create table scim_users (
  org_id text not null references orgs,
  user_id text not null references users,
  -- The address of the account when the user was last active. A later address of a former member is not shown.
  email text not null,
  user_name text not null check (length(user_name) between 1 and 254),
  external_id text check (length(external_id) between 1 and 200),
  display_name text check (length(display_name) <= 200),
  given_name text check (length(given_name) <= 200),
  family_name text check (length(family_name) <= 200),
  formatted_name text check (length(formatted_name) <= 200),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, user_id)
);
create unique index scim_users_by_name on scim_users (org_id, lower(user_name));
call enable_tenant_rls('scim_users');

-- All users that a directory service sees: the members, and the users it has deactivated.
create view directory_users with (security_invoker = true) as
  select m.org_id, m.user_id, true as active, u.email, coalesce(s.user_name, u.email) as user_name, s.external_id,
         coalesce(s.display_name, case when m.invited_at is null then u.name end) as display_name, s.given_name, s.family_name,
         s.formatted_name, m.created_at, coalesce(s.updated_at, m.created_at) as updated_at
  from memberships m
  join users u on u.id = m.user_id
  left join scim_users s on s.org_id = m.org_id and s.user_id = m.user_id
  union all
  select s.org_id, s.user_id, false, s.email, s.user_name, s.external_id, s.display_name, s.given_name, s.family_name,
         s.formatted_name, s.created_at, s.updated_at
  from scim_users s
  where not exists (select from memberships m where m.org_id = s.org_id and m.user_id = s.user_id);

do $$
begin
  if exists (select from pg_roles where rolname = 'cowrie_app') then
    revoke insert, update, delete on directory_users from cowrie_app;
  end if;
end $$;
