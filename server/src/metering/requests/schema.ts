// Schemas of the request log.
import { z } from 'zod'
import { INT64_MAX } from '../../kernel/money.ts'
import {
  exactCost,
  minorOut,
  orgIdQuery,
  pageQuery,
  queryTime,
  text,
  timestamp,
} from '../../platform/http/shapes.ts'

const count = z.bigint().meta({ wire: { type: 'integer', format: 'int64', minimum: 0, examples: [1204] } })
const Tokens = z
  .object({ input: count, cachedInput: count, cacheWrite: count, output: count })
  .meta({ description: 'Four classes without overlap.' })

const status = z
  .string()
  .regex(/^(success|failed|[1-5]\d\d)$/, { error: 'must be success, failed or an HTTP status' })
  .transform((value) => (value === 'success' || value === 'failed' ? value : Number(value)))
  .meta({ wire: { type: 'string', pattern: '^(success|failed|[1-5][0-9][0-9])$' } })

const minCost = z
  .string()
  .regex(/^\d{1,18}$/, { error: 'must be a whole number of minor units' })
  .transform((value) => BigInt(value))
  .meta({ wire: { type: 'integer', format: 'int64', minimum: 0, maximum: INT64_MAX } })

const filters = {
  from: queryTime.optional(),
  to: queryTime.optional().meta({ description: 'Not included.' }),
  keyId: text(64).optional(),
  userId: text(64).optional(),
  model: text(200).optional(),
  provider: text(200).optional(),
  route: text(200).optional().meta({ description: 'For example `POST /v1/messages`.' }),
  status: status.optional(),
  code: text(64).optional(),
  minCostMinor: minCost.optional(),
  requestId: text(200).optional(),
  scope: z.literal('all').optional().meta({ description: 'All organisations; for platform staff only.' }),
  orgId: orgIdQuery,
}

export const RequestsQuery = z.object({
  ...pageQuery(),
  ...filters,
  after: text(64).optional().meta({
    description:
      'The id of a row. Only later rows are returned, oldest first; a row appears two seconds after its call.',
  }),
  format: z.enum(['json', 'csv']).optional().meta({ description: 'Same as `Accept`.' }),
})

export const RequestRow = z
  .object({
    id: z.string(),
    at: timestamp.meta({ description: 'When the call ended.' }),
    orgId: z.string(),
    currency: z.string(),
    keyId: z.string().nullable(),
    userId: z.string().nullable(),
    route: z.string(),
    model: z.string(),
    provider: z.string().nullable(),
    tokens: Tokens,
    costMinor: minorOut,
    exactCost,
    ttftMs: z.int().nullable().meta({ description: 'Time to the first token; null without a stream.' }),
    durationMs: z.int(),
    status: z.int(),
    code: z.string().nullable().meta({ description: 'The error code; null for a success.' }),
    requestId: z.string().nullable(),
    ledgerId: z.string().nullable().meta({
      description:
        'Explains the charge at GET /wallet/ledger/{id}. Null where the wallet paid nothing, unless the charge accumulates with others.',
    }),
  })
  .meta({ id: 'RequestRow' })

export const RequestsPage = z.object({ requests: z.array(RequestRow), nextCursor: z.string().nullable() })

export const RequestSummaryQuery = z.object({
  bucket: z.enum(['hour', 'day']).default('day'),
  ...filters,
  from: queryTime.optional().meta({
    description: 'By default 24 hours (hour) or 30 days (day) before `to`; at most 14 or 400 days.',
  }),
  to: queryTime.optional().meta({ description: 'Not included. By default now.' }),
})

const Percentiles = z
  .object({ p50: z.int(), p95: z.int() })
  .nullable()
  .meta({ description: 'Of successful calls; null without one.' })

export const RequestSummary = z
  .object({
    bucket: z.enum(['hour', 'day']),
    orgId: z.string().nullable(),
    currency: z.string(),
    from: timestamp,
    to: timestamp,
    buckets: z.array(
      z.object({
        at: timestamp.meta({ description: 'The start of the hour or day (UTC).' }),
        requests: count,
        errors: count,
        costMinor: minorOut,
        tokens: Tokens,
        durationMs: Percentiles,
        ttftMs: Percentiles,
      }),
    ),
  })
  .meta({ id: 'RequestSummary' })
