-- A stored reply that is content is kept with the content of its organisation. Here stands only whose it is.
alter table idempotency_keys add column kept_in text check (kept_in like 'org\_%');
