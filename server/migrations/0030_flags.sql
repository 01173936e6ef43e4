-- Who sees which feature. Every replica keeps all of it in memory and asks for what is newer than the last it read.

-- The number of the last change. Changing it locks the row, so numbers become visible in their order.
create table flag_revision (
  single boolean primary key default true check (single),
  revision bigint not null
);
insert into flag_revision (revision) values (0);

create table flags (
  key text primary key check (key ~ '^[a-z][a-z0-9_.-]{0,63}$'),
  description text not null check (length(description) <= 500),
  default_enabled boolean not null,
  tier_overrides jsonb not null check (
    jsonb_typeof(tier_overrides) = 'object'
    and tier_overrides - '{individual,team,enterprise}'::text[] = '{}'
    and not jsonb_path_exists(tier_overrides, '$.* ? (@.type() != "boolean")')),
  -- Another one than before when a flag was deleted and made anew: what organisations had does not come back.
  made_at_revision bigint not null,
  updated_at timestamptz not null,
  updated_by text not null references users
);

create table flag_overrides (
  org_id text not null references orgs,
  flag_key text not null references flags on delete cascade,
  -- Null once it was cleared: the row stays as long as its flag, so that every replica hears of it.
  enabled boolean,
  revision bigint not null,
  updated_at timestamptz not null,
  updated_by text not null references users,
  primary key (flag_key, org_id)
);
create index flag_overrides_by_org on flag_overrides (org_id);
create index flag_overrides_by_revision on flag_overrides (revision, flag_key, org_id);
create index flag_overrides_newest on flag_overrides (flag_key, revision desc) where enabled is not null;
call wall_by_org('flag_overrides');

-- The rest belongs to no organisation: everyone's work is governed by it, and only platform work changes it.
alter table flags enable row level security;
alter table flags force row level security;
create policy read_by_all on flags for select using (true);
create policy changed_by_platform on flags
  using ((select current_reach()) = 'platform') with check ((select current_reach()) = 'platform');
alter table flag_revision enable row level security;
alter table flag_revision force row level security;
create policy read_by_all on flag_revision for select using (true);
create policy changed_by_platform on flag_revision
  using ((select current_reach()) = 'platform') with check ((select current_reach()) = 'platform');

-- Whoever changes something, by the service or by hand, the replicas find out. One number for a whole statement.
create function flag_change_counts() returns trigger language plpgsql as $$
begin
  update flag_revision set revision = revision + 1;
  return null;
end $$;
create trigger counts before insert or update or delete on flags
  for each statement execute function flag_change_counts();
create trigger counts before insert or update on flag_overrides
  for each statement execute function flag_change_counts();

create function flag_stamp() returns trigger language plpgsql as $$
begin
  select revision into strict new.made_at_revision from flag_revision;
  return new;
end $$;
create trigger stamp before insert on flags for each row execute function flag_stamp();

create function flag_override_stamp() returns trigger language plpgsql as $$
begin
  select revision into strict new.revision from flag_revision;
  return new;
end $$;
create trigger stamp before insert or update on flag_overrides for each row execute function flag_override_stamp();
