-- Invoices are immutable after issue.

-- An invoice may only be paid or voided once, and be credited.
create or replace function invoice_stays() returns trigger language plpgsql as $$
begin
  if (new.id, new.org_id, new.seq, new.number, new.subject, new.cause, new.currency, new.subtotal_minor, new.tax_minor,
      new.total_minor, new.lines, new.taxes, new.seller, new.buyer, new.issued_at)
     is distinct from
     (old.id, old.org_id, old.seq, old.number, old.subject, old.cause, old.currency, old.subtotal_minor, old.tax_minor,
      old.total_minor, old.lines, old.taxes, old.seller, old.buyer, old.issued_at)
    or (old.status <> 'open' and
        (new.status, new.paid_at, new.voided_at, new.reference, new.method, new.mode, new.reason)
        is distinct from
        (old.status, old.paid_at, old.voided_at, old.reference, old.method, old.mode, old.reason))
    or new.credited_minor < old.credited_minor then
    raise exception 'an invoice is never rewritten' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
