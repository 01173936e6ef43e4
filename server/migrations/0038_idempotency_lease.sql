-- While a record is running, its owner renews this lease every few seconds. Once it has lapsed the next call with the key takes
-- the record over. Null: claimed by an earlier release; only the outer bound applies to it.
alter table idempotency_keys add column lease_until timestamptz;
