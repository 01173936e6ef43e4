-- The hash chain of audit entries.

-- The hash of an entry over a text that no session setting changes: time is microseconds since 1970, jsonb is canonical.
create or replace function audit_hash(entry audit_entries) returns text language sql stable as $$
  select encode(sha256(convert_to(entry.prev_hash || E'\n' || jsonb_build_array(
    'audit-1', entry.id, entry.org_id, entry.seq, entry.actor_kind, entry.actor_user_id, entry.actor_email, entry.action,
    entry.target, entry.metadata, entry.ip, (extract(epoch from entry.created_at) * 1000000)::bigint
  )::text, 'UTF8')), 'hex')
$$;

-- Links every new entry to its chain. It runs as the owner, so that the role of the service needs no write access to heads.
create or replace function audit_link() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
  -- A transaction that began earlier may append later. Time on a chain never goes backwards.
  new.created_at := greatest(new.created_at, head.created_at);
  new.hash := audit_hash(new);
  update audit_heads set seq = new.seq, hash = new.hash, created_at = new.created_at where chain = head.chain;
  return new;
end $$;

create or replace function audit_head_advances() returns trigger language plpgsql as $$
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
