-- Fees of providers by channel.
drop index concurrently if exists payments_by_fee;
create index concurrently payments_by_fee on payments (channel, currency, settled_at desc)
  where fee_minor is not null and status = 'settled';
