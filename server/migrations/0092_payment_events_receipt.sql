-- See 0091.
drop index concurrently if exists payment_events_receipt;
create index concurrently payment_events_receipt on payment_events (transaction_id)
  where rail = 'daraja' and transaction_id is not null;
