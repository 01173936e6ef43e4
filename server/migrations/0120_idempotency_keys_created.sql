-- Replaces idempotency_keys_age, whose value changed with each outcome: PostgreSQL then wrote a new entry in every index of the table.
drop index concurrently if exists idempotency_keys_created;
create index concurrently idempotency_keys_created on idempotency_keys (created_at);
