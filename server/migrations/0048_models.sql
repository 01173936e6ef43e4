-- The providers of models, the model catalogue and its prices. They belong to no organisation: staff change them, and every
-- replica keeps them in memory. See decisions/0053.

-- The number of the last change. Replicas read everything again when it differs.
create table model_revision (
  single boolean primary key default true check (single),
  revision bigint not null
);
insert into model_revision (revision) values (0);

create table providers (
  id text primary key check (id ~ '^prv_' and id <> 'prv_default'),
  name text not null check (length(name) between 1 and 60),
  wire text not null check (wire in ('openai', 'anthropic', 'gemini')),
  base_url text not null check (length(base_url) between 1 and 2000),
  -- Encrypted. Null without a key.
  api_key_sealed text,
  key_last4 text check (length(key_last4) <= 4),
  region text check (region ~ '^[A-Za-z0-9-]{2,40}$'),
  weight integer not null check (weight between 0 and 1000),
  enabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null references users,
  check ((api_key_sealed is null) = (key_last4 is null))
);
create unique index providers_by_name on providers (lower(name));

create table models (
  id text primary key check (length(id) between 1 and 100 and id not in ('open', 'frontier')),
  title text not null check (length(title) between 1 and 100),
  lane text not null check (lane in ('open', 'frontier')),
  context_tokens integer not null check (context_tokens between 1 and 10000000),
  output_tokens integer not null check (output_tokens between 1 and context_tokens),
  capabilities text[] not null check (capabilities <@ '{tools,images,reasoning,cache}'::text[]),
  aliases text[] not null check (cardinality(aliases) <= 50),
  enabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null references users
);

-- The routes of a model, or the further routes of the lane `open` or `frontier`.
create table model_routes (
  model_id text not null,
  position integer not null check (position between 0 and 19),
  -- Null: the built-in provider of the settings.
  provider_id text references providers,
  upstream_model text not null check (length(upstream_model) between 1 and 200),
  priority integer not null check (priority between 0 and 1000),
  weight integer not null check (weight between 0 and 1000),
  primary key (model_id, position)
);
create index model_routes_by_provider on model_routes (provider_id) where provider_id is not null;

-- The prices of models in kobo per million tokens. A change adds a version; the last one applies. It outlives its model.
create table model_prices (
  model_id text not null,
  version integer not null check (version > 0),
  input bigint not null check (input between 0 and 1000000000),
  output bigint not null check (output between 0 and 1000000000),
  cached_input bigint not null check (cached_input between 0 and 1000000000),
  cache_write bigint not null check (cache_write between 0 and 1000000000),
  since timestamptz not null,
  created_by text not null references users,
  primary key (model_id, version)
);
call make_append_only('model_prices');

-- Whether a provider answers, as far as any replica knows. The built-in provider has the id prv_default.
create table provider_health (
  provider_id text primary key,
  status text not null check (status in ('healthy', 'degraded', 'down')),
  -- When the status last changed.
  since timestamptz not null,
  -- Failed attempts since the last success.
  failures integer not null check (failures >= 0),
  -- The provider does not accept our key or account.
  is_rejected boolean not null,
  last_error text check (length(last_error) <= 200),
  -- The last successful call of a customer. A provider with a recent one is not probed.
  last_used_at timestamptz,
  updated_at timestamptz not null
);

-- Everyone's requests read the catalogue, and only platform work changes it.
do $$
declare
  item text;
begin
  foreach item in array '{model_revision,providers,models,model_routes,model_prices,provider_health}'::text[] loop
    execute format('alter table %I enable row level security', item);
    execute format('alter table %I force row level security', item);
    execute format('create policy read_by_all on %I for select using (true)', item);
    execute format('create policy changed_by_platform on %I
                      using ((select tenant_scope()) = ''platform'') with check ((select tenant_scope()) = ''platform'')', item);
  end loop;
end $$;

-- A change by the service or by hand gets a number. One number for a whole statement.
create function count_model_change() returns trigger language plpgsql as $$
begin
  update model_revision set revision = revision + 1;
  return null;
end $$;
create trigger counts after insert or update or delete on providers
  for each statement execute function count_model_change();
create trigger counts after insert or update or delete on models
  for each statement execute function count_model_change();
create trigger counts after insert or update or delete on model_routes
  for each statement execute function count_model_change();
create trigger counts after insert on model_prices
  for each statement execute function count_model_change();
