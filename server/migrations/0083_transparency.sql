-- The public transparency log: the heads of all wallet and audit chains, in a Merkle tree that only grows.

-- One row. Its lock orders all appends.
create table transparency_log (
  id boolean primary key default true check (id),
  size bigint not null check (size >= 0),
  -- The chain after which the next page of changed heads starts: kind and chain, or empty.
  next_after text not null
);
insert into transparency_log (size, next_after) values (0, '');

create table transparency_entries (
  entry bigint primary key check (entry >= 0),
  leaf text not null check (octet_length(leaf) between 1 and 1000)
);
call make_append_only('transparency_entries');

-- The hashes of the tree as in c2sp.org/tlog-tiles: 256 per tile. Only the last tile of each level is not full.
create table transparency_tiles (
  level int not null check (level between 0 and 6),
  tile bigint not null check (tile >= 0),
  hashes bytea not null check (octet_length(hashes) % 32 = 0 and octet_length(hashes) between 32 and 8192),
  primary key (level, tile)
);

create function transparency_only_grows() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'transparency_log' then
    if tg_op = 'UPDATE' and new.size >= old.size then return new; end if;
  elsif tg_op = 'UPDATE' and (new.level, new.tile) = (old.level, old.tile)
    and substr(new.hashes, 1, octet_length(old.hashes)) = old.hashes then
    return new;
  end if;
  raise exception '% only grows: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;
create trigger only_grows before update or delete on transparency_log for each row execute function transparency_only_grows();
create trigger only_grows before update or delete on transparency_tiles for each row execute function transparency_only_grows();
create trigger no_truncate before truncate on transparency_log for each statement execute function refuse_change();
create trigger no_truncate before truncate on transparency_tiles for each statement execute function refuse_change();

-- The newest entry of each chain. `name` stands for the chain in the log and does not change, even if the secret of the service does.
create table transparency_chains (
  kind text not null check (kind in ('wallet', 'audit')),
  -- The id of an organisation, or 'platform'.
  chain text not null,
  name text not null unique,
  seq bigint not null check (seq > 0),
  hash text not null,
  entry bigint not null,
  primary key (kind, chain)
);
alter table transparency_chains enable row level security;
alter table transparency_chains force row level security;
create policy by_chain on transparency_chains
  using ((select tenant_scope()) in ('platform', chain)) with check ((select tenant_scope()) in ('platform', chain));
