-- Invoices and credit notes: what was charged, numbered without gaps within each organisation, and never rewritten.

-- Who an organisation is on paper, where that differs from its name. The country decides the tax.
create table billing_details (
  org_id text primary key references orgs,
  legal_name text check (length(legal_name) between 1 and 200),
  address text check (length(address) between 1 and 500),
  tax_id text check (length(tax_id) between 1 and 50),
  country text check (country ~ '^[A-Z]{2}$'),
  updated_at timestamptz not null
);
call wall_by_org('billing_details');

-- The last number drawn. A number is drawn in the transaction of its document, so that what rolls back leaves no gap.
create table document_counters (
  org_id text not null references orgs,
  series text not null check (series in ('invoice', 'credit_note')),
  last bigint not null check (last > 0),
  primary key (org_id, series)
) with (fillfactor = 50);
call wall_by_org('document_counters');

create table invoices (
  id text primary key,
  org_id text not null references orgs,
  seq bigint not null check (seq > 0),
  number text not null,
  status text not null check (status in ('paid', 'open', 'void')),
  -- What it is for, and the thing that it is for once: a payment, a bill.
  subject text not null check (subject in ('topup', 'card', 'checkout', 'change', 'seats', 'renewal', 'credit')),
  cause text not null unique check (length(cause) between 1 and 200),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  subtotal_minor bigint not null check (subtotal_minor >= 0),
  tax_minor bigint not null check (tax_minor >= 0),
  total_minor bigint not null check (total_minor >= 0),
  -- Each line with its tax included; the parts of the tax; who sold and who bought, as they were that day.
  lines jsonb not null check (jsonb_typeof(lines) = 'array'),
  taxes jsonb not null check (jsonb_typeof(taxes) = 'array'),
  seller jsonb not null check (jsonb_typeof(seller) = 'object'),
  buyer jsonb not null check (jsonb_typeof(buyer) = 'object'),
  -- Play money is worth nothing, and its paper says so.
  mode text not null check (mode in ('live', 'mock')),
  -- The payment that paid it, and how.
  reference text,
  method text,
  credited_minor bigint not null default 0 check (credited_minor between 0 and total_minor),
  reason text check (length(reason) <= 500),
  issued_at timestamptz not null,
  paid_at timestamptz,
  voided_at timestamptz,
  unique (org_id, seq),
  unique (org_id, number),
  check (subtotal_minor + tax_minor = total_minor),
  check ((status = 'paid') = (paid_at is not null)),
  check ((status = 'void') = (voided_at is not null))
);
create unique index invoices_reference on invoices (reference) where reference is not null;
create index invoices_by_org on invoices (org_id, issued_at desc, id desc);
call wall_by_org('invoices');

create table credit_notes (
  id text primary key,
  org_id text not null references orgs,
  seq bigint not null check (seq > 0),
  number text not null,
  invoice_id text not null references invoices,
  -- The refund or the reversal that it stands for.
  cause text not null unique check (length(cause) between 1 and 200),
  subtotal_minor bigint not null check (subtotal_minor >= 0),
  tax_minor bigint not null check (tax_minor >= 0),
  total_minor bigint not null check (total_minor > 0),
  taxes jsonb not null check (jsonb_typeof(taxes) = 'array'),
  reason text not null check (length(reason) between 1 and 500),
  issued_at timestamptz not null,
  unique (org_id, seq),
  unique (org_id, number),
  check (subtotal_minor + tax_minor = total_minor)
);
create index credit_notes_by_invoice on credit_notes (invoice_id);
call wall_by_org('credit_notes');
call make_append_only('credit_notes');

-- What an invoice says stays said. It may be paid or given up once, and be credited.
create function invoice_stays() returns trigger language plpgsql as $$
begin
  if (new.id, new.org_id, new.seq, new.number, new.subject, new.cause, new.currency, new.subtotal_minor, new.tax_minor,
      new.total_minor, new.lines, new.taxes, new.seller, new.buyer, new.issued_at)
     is distinct from
     (old.id, old.org_id, old.seq, old.number, old.subject, old.cause, old.currency, old.subtotal_minor, old.tax_minor,
      old.total_minor, old.lines, old.taxes, old.seller, old.buyer, old.issued_at)
    or (old.status <> 'open' and
        (new.status, new.paid_at, new.voided_at, new.reference, new.method, new.mode, new.reason)
        is distinct from
        (old.status, old.paid_at, old.voided_at, old.reference, old.method, old.mode, old.reason))
    or new.credited_minor < old.credited_minor then
    raise exception 'an invoice is never rewritten' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger stays before update on invoices for each row execute function invoice_stays();
create trigger is_kept before delete on invoices for each row execute function refuse_change();
create trigger no_truncate before truncate on invoices for each statement execute function refuse_change();
do $$
begin
  if exists (select from pg_roles where rolname = 'cowrie_app') then
    revoke delete, truncate on invoices from cowrie_app;
  end if;
end $$;

-- Settled payments and their invoices find each other both ways. What was settled before there were invoices gets its
-- own from a job.
alter table payments add column invoice_id text;
create index payments_uninvoiced on payments (settled_at) where status = 'settled' and invoice_id is null;
