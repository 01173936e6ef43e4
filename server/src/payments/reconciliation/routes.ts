// Staff routes of reconciliations.
import { z } from 'zod'
import { route } from '../../platform/http/route.ts'
import { line, minorOut, ok, pageQuery, text, timestamp } from '../../platform/http/shapes.ts'
import { listReconciliations, reconcileStatement, startReconciliation } from './admin.ts'
import { DIFFERENCES, EXPLANATIONS } from './judge.ts'
import { STATEMENT_CHARACTERS_MAX } from './statement.ts'

const count = z.int().min(0)

const Reconciliation = z
  .object({
    id: z.string(),
    rail: z.string(),
    account: z.string().meta({ description: 'The country; `all` where one account serves every country.' }),
    day: z.string().meta({ description: 'The UTC day of the credits; the first day of a statement.' }),
    source: z.enum(['list', 'status', 'statement']).meta({
      description:
        '`list`: the lists of the provider; `status`: a status query per payment, where the provider has no lists; `statement`: an uploaded bank statement.',
    }),
    state: z.enum(['running', 'complete', 'incomplete']).meta({
      description: '`incomplete`: the list had gaps, so missing payments were checked one by one.',
    }),
    pass: count.meta({ description: 'How often the list was read.' }),
    failure: z.string().nullable().meta({ description: 'The last failure of a running reconciliation.' }),
    startedAt: timestamp,
    finishedAt: timestamp.nullable(),
    listed: count,
    matched: count,
    explained: z.partialRecord(z.enum(EXPLANATIONS), count),
    differences: z.partialRecord(z.enum(DIFFERENCES), count).meta({
      description: 'All that were found, including those with an older case.',
    }),
    opened: count.meta({ description: 'New cases: `GET /admin/payment-cases`.' }),
    closed: count.meta({ description: 'Older cases that this reconciliation explains.' }),
    fees: z
      .array(z.object({ currency: z.string(), amountMinor: minorOut }))
      .meta({ description: 'Fees of the provider for the listed payments.' }),
  })
  .meta({ id: 'Reconciliation' })

const target = { rail: line(40), account: line(40) }
const Started = ok.extend({ id: z.string() })
const access = { staff: ['billing', 'operator', 'super_admin'] } as const

export const reconciliationRoutes = [
  route('admin.reconciliations.list', 'GET /admin/reconciliations', {
    summary: 'List reconciliations of payments with their counts and state, newest first.',
    access: { staff: 'any' },
    rate: 'global',
    query: z.object({ rail: line(40).optional(), account: line(40).optional(), ...pageQuery() }),
    reply: {
      200: z.object({ reconciliations: z.array(Reconciliation), nextCursor: z.string().nullable() }),
    },
    handle: ({ app, query }) => listReconciliations(app, query),
  }),

  route('admin.reconciliations.start', 'POST /admin/reconciliations', {
    summary: 'Reconcile a day of a provider account, again if it was reconciled.',
    detail:
      'Every day is reconciled automatically after its end. A repetition opens no second case and closes cases whose difference is gone.',
    access,
    rate: 'money',
    idempotency: 'required',
    audit: true,
    body: z.object({ ...target, day: z.iso.date() }).meta({
      examples: [{ rail: 'paystack', account: 'NG', day: '2026-11-15' }],
    }),
    reply: { 200: Started },
    errors: ['not_found'],
    handle: ({ app, actor, body, once, request }) =>
      startReconciliation(app, actor, body, once, request.address),
  }),

  route('admin.reconciliations.statement', 'POST /admin/reconciliations/statement', {
    summary: 'Compare a bank statement with the payments of a provider account.',
    detail:
      'A CSV file with a header, at most 20,000 rows and 100 days. The reference of a row is ours or the transaction of the provider. Amounts are in major units.',
    access,
    rate: 'money',
    idempotency: 'required',
    audit: true,
    bodyLimitBytes: 4 * 1024 * 1024,
    body: z.object({
      ...target,
      csv: text(STATEMENT_CHARACTERS_MAX),
      columns: z
        .object({
          date: line(100).default('date'),
          reference: line(100).default('reference'),
          amount: line(100).default('amount'),
          currency: line(100).default('currency'),
        })
        .prefault({})
        .meta({ description: 'The header of each column in the file. Upper and lower case are equal.' }),
    }),
    reply: { 200: Started },
    errors: ['not_found'],
    handle: ({ app, actor, body, once, request }) =>
      reconcileStatement(app, actor, body, once, request.address),
  }),
]
