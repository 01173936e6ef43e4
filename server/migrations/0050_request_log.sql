-- The request log: one row per model call, with its cost and timing. It never has the text of a prompt or an answer. Rows are
-- written in batches for many organisations and deleted after `usage_log_days`.
create table request_log (
  org_id text not null,
  -- When the call ended. The id has the same milliseconds, so both sort alike.
  at timestamptz not null,
  id text not null,
  -- Null for work without a key, and for work without a member.
  key_id text,
  user_id text,
  -- The endpoint or, for work in the background, its kind.
  route text not null,
  -- The name that the customer used.
  model text not null,
  provider text,
  -- Four classes without overlap.
  input_tokens bigint not null check (input_tokens >= 0),
  cached_input_tokens bigint not null check (cached_input_tokens >= 0),
  cache_write_tokens bigint not null check (cache_write_tokens >= 0),
  output_tokens bigint not null check (output_tokens >= 0),
  cost_minor bigint not null check (cost_minor >= 0),
  -- Time to the first token; null for a reply without a stream and for a failure before it.
  ttft_ms integer check (ttft_ms >= 0),
  duration_ms integer not null check (duration_ms >= 0),
  status smallint not null check (status between 100 and 599),
  -- Null for a success.
  code text,
  request_id text,
  -- The ledger entry of the charge; null where the wallet paid nothing.
  ledger_id text,
  primary key (org_id, at, id)
);
create index request_log_by_user on request_log (org_id, user_id, at);
create index request_log_by_key on request_log (key_id, at) where key_id is not null;
-- For deletion, and for staff who read all organisations.
create index request_log_by_time on request_log (at);
create index request_log_by_request on request_log (request_id) where request_id is not null;
call enable_tenant_rls('request_log');
