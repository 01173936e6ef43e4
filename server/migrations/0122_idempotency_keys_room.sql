-- Room on each page for the outcomes of its keys, so that no index changes when they are stored.
alter table idempotency_keys set (fillfactor = 60);
