-- Verification of businesses: what an organisation submitted last, and what became of it. The outcome is also in
-- orgs.kyc_status, written in the same transaction, because every paid request asks for it.
create table kyc_records (
  org_id text primary key references orgs,
  business_name text not null check (length(business_name) between 1 and 200),
  -- Empty where nothing was given.
  registration_number text not null,
  contact_email text not null,
  document_ref text not null,
  status text not null check (status in ('pending', 'verified', 'rejected')),
  submitted_by text not null references users,
  submitted_at timestamptz not null,
  reviewer_notes text not null default '',
  reviewed_by text references users,
  reviewed_at timestamptz
);
create index kyc_records_by_status on kyc_records (status, submitted_at, org_id);
create index kyc_records_by_time on kyc_records (submitted_at, org_id);
call wall_by_org('kyc_records');
