// Invariants of invoices and credit notes. The checks need the platform scope.
import type { Tx } from '../platform/db/tx.ts'
import type { CheckFinding, InvariantCheck } from '../wallet/wallet.ts'

/** In both directions: a settled payment has one invoice, and the payment of an invoice was settled. */
const paymentsAreInvoiced = (tx: Tx): Promise<CheckFinding> => tx.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select coalesce(p.reference, i.id) as id,
               p.reference is null or i.id is null or i.org_id <> p.org_id or i.id is distinct from p.invoice_id
               or i.total_minor <> p.captured_minor or i.currency <> p.currency or i.status <> 'paid' as bad
        from (select reference, org_id, invoice_id, captured_minor, currency from payments where status = 'settled') p
        full join (select id, org_id, reference, total_minor, currency, status from invoices
                   where reference is not null) i on i.reference = p.reference) each`

/** Numbers are unique, so none is missing if the count equals the highest. */
const numbersAreWhole = (tx: Tx): Promise<CheckFinding> => tx.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select coalesce(c.org_id, d.org_id) || ' ' || coalesce(c.series, d.series) as id,
               c.last is null or d.seen is null or c.last <> d.seen or c.last <> d.highest as bad
        from document_counters c
        full join (select org_id, 'invoice' as series, count(*) as seen, max(seq) as highest from invoices group by org_id
                   union all
                   select org_id, 'credit_note', count(*), max(seq) from credit_notes group by org_id) d
          on d.org_id = c.org_id and d.series = c.series) each`

const documentsAddUp = (tx: Tx): Promise<CheckFinding> => tx.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select id, subtotal_minor + tax_minor <> total_minor
                   or (select coalesce(sum((part ->> 'amountMinor')::numeric), 0) from jsonb_array_elements(lines) part)
                      <> total_minor
                   or (select coalesce(sum((part ->> 'amountMinor')::numeric), 0) from jsonb_array_elements(taxes) part)
                      <> tax_minor as bad
        from invoices
        union all
        select id, subtotal_minor + tax_minor <> total_minor
                   or (select coalesce(sum((part ->> 'amountMinor')::numeric), 0) from jsonb_array_elements(taxes) part)
                      <> tax_minor
        from credit_notes) each`

const notesStayWithinInvoices = (tx: Tx): Promise<CheckFinding> => tx.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select i.id, i.credited_minor <> coalesce(n.total, 0) or i.credited_minor > i.total_minor
                     or coalesce(n.tax, 0) > i.tax_minor or n.strangers > 0 as bad
        from invoices i
          left join (select c.invoice_id, sum(c.total_minor) as total, sum(c.tax_minor) as tax,
                            count(*) filter (where c.org_id <> o.org_id) as strangers
                     from credit_notes c join invoices o on o.id = c.invoice_id group by c.invoice_id) n
            on n.invoice_id = i.id) each`

/**
 * In both directions. The note of a reversal covers the amount that was not credited before; there is none if all
 * was credited.
 */
const notesAreRefunds = (tx: Tx): Promise<CheckFinding> => tx.one<CheckFinding>`
  select count(*) as checked, count(*) filter (where bad) as violations,
         to_json((array_agg(id order by id) filter (where bad))[1:1000]) as examples
  from (select coalesce(n.id, owed.cause) as id,
               n.id is null or owed.cause is null or n.total_minor <> owed.amount or n.invoice_id <> owed.invoice as bad
        from (select r.id as cause, r.amount_minor as amount, p.invoice_id as invoice
              from wallet_refunds r join payments p on p.reference = r.reference
              where r.source = 'refund' and p.invoice_id is not null
              union all
              select 'return ' || r.reference || ' ' || r.return_key, r.noted_minor, p.invoice_id
              from payment_returns r join payments p on p.reference = r.reference where r.noted_minor > 0
              union all
              select 'reversal ' || p.reference, p.captured_minor - p.refunded_minor - coalesce(r.noted, 0), p.invoice_id
              from payments p left join
                (select reference, sum(noted_minor) as noted from payment_returns group by reference) r
                on r.reference = p.reference
              where p.status = 'settled' and p.reversed_at is not null and p.invoice_id is not null
                and p.captured_minor > p.refunded_minor + coalesce(r.noted, 0)) owed
        full join credit_notes n on n.cause = owed.cause) each`

export const invoiceChecks: readonly InvariantCheck[] = [
  {
    name: 'settled_payments_have_invoices',
    holds:
      'Every settled payment has one invoice of its amount, and every payment on an invoice was settled.',
    find: paymentsAreInvoiced,
  },
  {
    name: 'document_numbers_have_no_gap',
    holds: 'The invoices of an organisation, and its credit notes, are numbered from one without a gap.',
    find: numbersAreWhole,
  },
  {
    name: 'invoices_add_up',
    holds: 'The lines of an invoice sum to its total, and the taxes of a document sum to its tax.',
    find: documentsAddUp,
  },
  {
    name: 'credit_notes_are_within_their_invoices',
    holds: 'The credited amount of an invoice is the sum of its credit notes, and at most its total.',
    find: notesStayWithinInvoices,
  },
  {
    name: 'refunds_have_credit_notes',
    holds: 'Every refund and reversal of an invoiced payment has its credit note, and there are no others.',
    find: notesAreRefunds,
  },
]
