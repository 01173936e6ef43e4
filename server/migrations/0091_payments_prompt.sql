-- A confirmation of a payment that we started names the end of its reference, or nothing but the receipt.
drop index concurrently if exists payments_prompt;
create index concurrently payments_prompt on payments (right(reference, 12)) where rail = 'daraja';
