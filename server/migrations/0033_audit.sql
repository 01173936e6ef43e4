-- How far each chain of audit entries has been noted down outside the database. It tells what is left to note and that
-- there must be a note; what counts is the note itself, which nobody can rewrite from here. The entry that it was about
-- must still be there as well: where the note is lost, a chain without that entry is not noted anew.
create table audit_anchors (
  -- An organisation's id, or 'platform'.
  chain text primary key,
  seq bigint not null check (seq > 0),
  hash text not null,
  anchored_at timestamptz not null
);
alter table audit_anchors enable row level security;
alter table audit_anchors force row level security;
create policy by_chain on audit_anchors
  using ((select current_reach()) in ('platform', chain)) with check ((select current_reach()) in ('platform', chain));
