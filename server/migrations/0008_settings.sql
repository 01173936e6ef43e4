-- Settings that differ from the catalogue's defaults: decided by an operator, or seeded from the environment.
create table platform_settings (
  key text primary key check (length(key) between 1 and 63),
  value jsonb,
  -- A secret is never in `value`: it is sealed for its own key and opens under no other.
  sealed text,
  source text not null check (source in ('operator', 'env')),
  updated_at timestamptz not null,
  updated_by_email text,
  check ((value is null) <> (sealed is null)),
  check ((source = 'operator') = (updated_by_email is not null))
);

-- They belong to no organisation: everyone's work is governed by them, and only platform work changes them.
alter table platform_settings enable row level security;
alter table platform_settings force row level security;
create policy read_by_all on platform_settings for select using (true);
create policy changed_by_platform on platform_settings
  using ((select current_reach()) = 'platform') with check ((select current_reach()) = 'platform');
