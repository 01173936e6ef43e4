-- Replies that are told again to whoever shows their Idempotency-Key, by the id of the intent. They repeat what was asked for and
-- written, so they go wherever that goes. Kept as long as the keys.
create table kept_replies (
  id text primary key,
  org_id text not null,
  body text not null,
  kept_at timestamptz not null
);
create index kept_replies_by_org on kept_replies (org_id, id);
create index kept_replies_by_age on kept_replies (kept_at);
call public.keep_content('kept_replies');
