-- A flow that links GitHub to an account ends with the session that began it.
alter table github_flows add column session_id text;
create index github_confirmations_by_expiry on github_confirmations (expires_at);

-- Grants are also counted per owner of an email domain: a domain of one's own has any number of addresses. Null for large
-- public providers and for older grants.
alter table trial_credits add column domain text check (length(domain) <= 255);
create index trial_credits_by_domain on trial_credits (domain, granted_at) where domain is not null;
