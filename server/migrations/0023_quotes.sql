-- What somebody was told that a piece of work costs at most. Kept for an hour, so that the work costs no more than that although
-- prices may have changed meanwhile.
create table quotes (
  user_id text not null references users,
  org_id text not null references orgs,
  -- Of the work that was asked about, word for word.
  fingerprint text not null,
  max_minor bigint not null check (max_minor >= 0),
  quoted_at timestamptz not null,
  primary key (user_id, org_id, fingerprint)
);
create index quotes_by_age on quotes (quoted_at);
call wall_by_org('quotes');
