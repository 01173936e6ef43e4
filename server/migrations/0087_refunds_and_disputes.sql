-- Refunds to the card or phone that paid, and the answers to disputes.

create table source_refunds (
  id text primary key,
  reference text not null references payments,
  org_id text not null references orgs,
  amount_minor bigint not null check (amount_minor > 0),
  -- Printed on the credit note.
  reason text not null check (length(reason) between 1 and 500),
  actor_user_id text not null,
  -- `requested`: never sent; `sent`: the provider may have it; `unclear`: as `sent`, and staff look into it.
  state text not null default 'requested' check (state in ('requested', 'sent', 'unclear', 'done', 'failed')),
  -- Freezes the money until the provider decides.
  hold_id text not null unique,
  -- Fencing: who advances the number of attempts sends the refund.
  attempts integer not null default 0 check (attempts >= 0),
  provider_id text check (length(provider_id) between 1 and 200),
  -- Of the return that ended it. Null where a reversal of the whole payment did.
  return_key text,
  detail text check (length(detail) <= 500),
  next_check_at timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz,
  decided_at timestamptz,
  check ((state in ('done', 'failed')) = (decided_at is not null)),
  check ((state in ('done', 'failed')) = (next_check_at is null)),
  check (state = 'done' or return_key is null),
  foreign key (reference, return_key) references payment_returns (reference, return_key)
);
-- One at a time, so that a refund in the provider's list belongs to one of ours.
create unique index source_refunds_open on source_refunds (reference) where decided_at is null;
create index source_refunds_due on source_refunds (next_check_at) where next_check_at is not null;
create index source_refunds_by_payment on source_refunds (reference, created_at);
create index source_refunds_by_org on source_refunds (org_id, created_at, id);
call enable_tenant_rls('source_refunds');

-- The answer of staff to a dispute. Its money is in payment_returns.
create table payment_disputes (
  id text primary key,
  reference text not null,
  return_key text not null,
  org_id text not null references orgs,
  opened_at timestamptz not null,
  -- The provider's deadline for an answer; null where it names none.
  due_at timestamptz,
  -- 1 and 2: the reminders before the deadline; 3: the deadline has passed without an answer.
  reminders smallint not null default 0 check (reminders between 0 and 3),
  answer text check (answer in ('contested', 'accepted')),
  answered_by text,
  message text check (length(message) <= 2000),
  -- Null until the provider has confirmed the answer.
  answered_at timestamptz,
  unique (reference, return_key),
  foreign key (reference, return_key) references payment_returns (reference, return_key),
  check ((answer is null) = (answered_by is null)),
  check (answer is not null or answered_at is null)
);
create index payment_disputes_due on payment_disputes (due_at) where answered_at is null and due_at is not null;
call enable_tenant_rls('payment_disputes');

-- The id of its case identifies an earlier dispute.
insert into payment_disputes (id, reference, return_key, org_id, opened_at)
select 'dsp_' || substr(c.id, 5), r.reference, r.return_key, r.org_id, r.opened_at
from payment_returns r join payment_cases c on c.case_key = 'dispute ' || r.reference || ' ' || r.return_key;

alter table payment_cases drop constraint payment_cases_kind_check;
alter table payment_cases add constraint payment_cases_kind_check
  check (kind in ('shortfall', 'dispute', 'unclear_return', 'unread_message', 'reconciliation', 'paybill', 'refund')) not valid;
