-- What the provider said was paid, where that is in the currency of the payment: the most that staff may credit of what is under
-- review.
alter table payments add column said_minor bigint check (said_minor >= 0);
