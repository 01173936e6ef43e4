-- The registration of invoices and credit notes with the tax authority of the seller's country.
create table einvoice_submissions (
  id text primary key,
  org_id text not null references orgs,
  invoice_id text not null references invoices,
  -- Null: the invoice itself.
  credit_note_id text references credit_notes,
  authority text not null check (length(authority) between 1 and 20),
  -- `waiting`: did not reach the authority; `sent`: may have reached it, without a final answer; `unclear`: given up, staff decide.
  state text not null check (state in ('waiting', 'sent', 'accepted', 'rejected', 'unclear')),
  -- Both are set once, before the first attempt, and never change: the consecutive number at the authority, and the document's name there.
  serial bigint check (serial > 0),
  document_key text check (length(document_key) between 1 and 60),
  -- The first attempt that may have reached the authority. Later attempts ask before they send.
  sent_at timestamptz,
  -- At an authority that decides later: its id of the submission.
  pending_id text check (length(pending_id) <= 200),
  -- Attempts since the start or since staff retried. Fencing: an attempt records its outcome only while it is the last.
  attempts integer not null default 0 check (attempts >= 0),
  -- A running attempt keeps others away until then.
  busy_until timestamptz,
  -- The next attempt; null when none is planned.
  due_at timestamptz,
  -- The authority's number, the text of its QR code, and its signature data.
  authority_id text check (length(authority_id) <= 200),
  qr text check (length(qr) <= 2000),
  stamp jsonb,
  failure text check (length(failure) <= 500),
  reasons jsonb not null default '[]' check (jsonb_typeof(reasons) = 'array'),
  created_at timestamptz not null,
  decided_at timestamptz,
  check ((state = 'accepted') = (authority_id is not null)),
  check ((state in ('accepted', 'rejected', 'unclear')) = (decided_at is not null)),
  check ((serial is null) = (document_key is null)),
  check (state = 'waiting' or serial is not null)
);
create unique index einvoice_submissions_invoice on einvoice_submissions (invoice_id) where credit_note_id is null;
create unique index einvoice_submissions_credit_note on einvoice_submissions (credit_note_id);
create unique index einvoice_submissions_serial on einvoice_submissions (authority, serial);
create unique index einvoice_submissions_key on einvoice_submissions (authority, document_key);
create index einvoice_submissions_of_invoice on einvoice_submissions (invoice_id) where credit_note_id is not null;
create index einvoice_submissions_due on einvoice_submissions (due_at) where state in ('waiting', 'sent') and due_at is not null;
create index einvoice_submissions_by_state on einvoice_submissions (state, created_at desc, id desc);
create index einvoice_submissions_by_time on einvoice_submissions (created_at desc, id desc);
call enable_tenant_rls('einvoice_submissions');
