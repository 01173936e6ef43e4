-- idempotency_keys_created replaces it.
drop index concurrently if exists idempotency_keys_age;
