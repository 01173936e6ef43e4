-- Who did what: a chain of entries per organisation and one for the platform itself. Entries are added and read, nothing
-- else, and each carries a hash over itself and the entry before it.

create table audit_entries (
  id text primary key,
  -- Null on the platform's own chain.
  org_id text check (org_id like 'org\_%'),
  chain text not null generated always as (coalesce(org_id, 'platform')) stored,
  seq bigint not null,
  actor_kind text not null check (actor_kind in ('user', 'key', 'operator', 'system')),
  actor_user_id text,
  actor_email text,
  action text not null check (length(action) between 1 and 100),
  target text check (length(target) <= 300),
  -- In bytes twice what the service writes at most, because jsonb spaces its text.
  metadata jsonb not null check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 16384),
  ip text check (length(ip) <= 64),
  created_at timestamptz not null,
  prev_hash text not null,
  hash text not null,
  unique (chain, seq),
  check ((actor_kind = 'system') = (actor_user_id is null))
);
create index audit_entries_chain_time on audit_entries (chain, created_at desc, seq desc);
create index audit_entries_time on audit_entries (created_at desc, seq desc, id desc);
call wall_by_org('audit_entries');
call make_append_only('audit_entries');

-- Where each chain ends. Appending locks this row, so a chain never forks and organisations never wait for each other.
-- It also remembers the end when the entries there are taken away.
create table audit_heads (
  org_id text,
  chain text not null generated always as (coalesce(org_id, 'platform')) stored,
  seq bigint not null,
  hash text not null,
  created_at timestamptz not null,
  primary key (chain)
);
call wall_by_org('audit_heads');

-- A text of the entry that no session setting changes: time is microseconds since 1970, jsonb prints in one way.
create function audit_hash(entry audit_entries) returns text language sql stable as $$
  select encode(sha256(convert_to(entry.prev_hash || E'\n' || jsonb_build_array(
    'audit-1', entry.id, entry.org_id, entry.seq, entry.actor_kind, entry.actor_user_id, entry.actor_email, entry.action,
    entry.target, entry.metadata, entry.ip, (extract(epoch from entry.created_at) * 1000000)::bigint
  )::text, 'UTF8')), 'hex')
$$;

-- Links every new entry, whoever inserts it. It runs as the owner, so the service's own role needs no right to write heads.
create function audit_link() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head record;
begin
  select chain, seq, hash, created_at into head
    from audit_heads where chain = coalesce(new.org_id, 'platform') for update;
  if not found then
    insert into audit_heads (org_id, seq, hash, created_at) values (new.org_id, 0, repeat('0', 64), new.created_at)
      on conflict do nothing;
    select chain, seq, hash, created_at into strict head
      from audit_heads where chain = coalesce(new.org_id, 'platform') for update;
  end if;
  new.seq := head.seq + 1;
  new.prev_hash := head.hash;
  -- A transaction that began earlier may append later; time on a chain still never runs backwards.
  new.created_at := greatest(new.created_at, head.created_at);
  new.hash := audit_hash(new);
  update audit_heads set seq = new.seq, hash = new.hash, created_at = new.created_at where chain = head.chain;
  return new;
end $$;
create trigger link before insert on audit_entries for each row execute function audit_link();

create function audit_head_advances() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.seq <> 0 then
      raise exception 'a chain of audit entries begins empty' using errcode = 'restrict_violation';
    end if;
  elsif new.seq <> old.seq + 1 or new.org_id is distinct from old.org_id or new.created_at < old.created_at then
    raise exception 'the head of an audit chain only ever advances by one' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger advances before insert or update on audit_heads for each row execute function audit_head_advances();
create trigger no_delete before delete on audit_heads for each row execute function refuse_change();
create trigger no_truncate before truncate on audit_heads for each statement execute function refuse_change();

do $$
begin
  if exists (select from pg_roles where rolname = 'cowrie_app') then
    revoke insert, update, delete, truncate on audit_heads from cowrie_app;
  end if;
end $$;
