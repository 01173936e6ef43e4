-- Rows that `wallet_apply_ops` collects before it writes them. They have the columns that it writes, and none of the constraints of
-- the tables: an array of rows of a table copies the text of all its constraints with every statement.
create type wallet_posting as (
  org_id text, seq bigint, id text, kind text, free_minor bigint, held_minor bigint, included_minor bigint, included_held_minor bigint,
  revenue_minor bigint, allowance_minor bigint, account text, account_minor bigint, source text, ref text, balance_after_minor bigint,
  cause text, hold_id text, created_at timestamptz, hash bytea
);
create type wallet_hold as (
  id text, org_id text, user_id text, ref text, source text, amount_minor bigint, included_minor bigint, included_grant bigint,
  terms jsonb, usage jsonb, state text, charged_minor bigint, charged_included_minor bigint, month date, deadline timestamptz,
  created_at timestamptz, ended_at timestamptz, key_ids text[]
);
create type wallet_state as (
  org_id text, balance_minor bigint, held_minor bigint, included_minor bigint, included_held_minor bigint, included_grant bigint,
  trial_minor bigint, seq bigint, head bytea, low text
);
