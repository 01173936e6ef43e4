// Schemas of API keys.
import { z } from 'zod'
import { parseRanges } from '../../platform/http/access/client-address.ts'
import { SCOPES } from '../../platform/http/actor.ts'
import {
  line,
  minor,
  minorOut,
  modelPatterns,
  pageQuery,
  queryTime,
  timestamp,
} from '../../platform/http/shapes.ts'

export const KEY_DAYS_MAX = 366

const ADDRESSES_MAX = 50
const BUDGET_MAX = 1_000_000_000_000_000n

export const KeysQuery = z.object(pageQuery())

const period = z.enum(['total', 'day', 'week', 'month'])

function isRange(text: string): boolean {
  try {
    return !text.includes(',') && parseRanges(text).list.length === 1
  } catch {
    return false
  }
}

/** The limits of a key in a request. Null removes a limit. */
const limits = {
  budgetMinor: minor(0n, BUDGET_MAX)
    .nullable()
    .optional()
    .meta({ description: 'The most that the key and the keys it creates may spend per `budgetPeriod`.' }),
  budgetPeriod: period.optional().meta({
    description: 'Default: total. Days, weeks from Monday and calendar months are in UTC.',
  }),
  models: modelPatterns.nullable().optional().meta({
    description:
      'The models that the key may use: ids, or patterns that end in `*`. Null allows every model.',
  }),
  requestsPerMinute: z.int().min(1).max(1_000_000).nullable().optional(),
  tokensPerMinute: z.int().min(1).max(1_000_000_000).nullable().optional().meta({
    description:
      'Counted when work ends: the call that reaches the limit is completed, and later calls wait for the next minute.',
  }),
  allowedAddresses: z
    .array(z.string().trim().max(80).refine(isRange, { error: 'must be an IP address or a CIDR' }))
    .min(1)
    .max(ADDRESSES_MAX)
    .nullable()
    .optional()
    .meta({
      description:
        'The addresses that the key may be used from: IPv4 and IPv6 addresses and CIDRs. Null allows all.',
    }),
}

/** The limits of a key in a reply, and its use of them. */
const limitsOut = {
  budgetMinor: minorOut.nullable(),
  budgetPeriod: period,
  models: z.array(z.string()).nullable(),
  requestsPerMinute: z.int().nullable(),
  tokensPerMinute: z.int().nullable(),
  allowedAddresses: z.array(z.string()).nullable(),
  spentMinor: minorOut.meta({
    description: 'Charged in the current period to the key and the keys below it.',
  }),
  budgetLeftMinor: minorOut
    .nullable()
    .meta({ description: 'The budget without spent and reserved money; null without a budget.' }),
}

export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    prefix: z.string().meta({ description: 'The first characters of the key, to recognise it.' }),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: 'Updated at most every minute.' }),
    expiresAt: timestamp.nullable(),
    createdBy: z.object({ userId: z.string(), email: z.string() }),
    ...limitsOut,
  })
  .meta({ id: 'ApiKey' })

export const KeysPage = z.object({ keys: z.array(ApiKey), nextCursor: z.string().nullable() })

export const NewKeyBody = z
  .object({
    name: line(100),
    scopes: z.array(z.enum(SCOPES)).max(20).optional().meta({ description: 'Default: none.' }),
    expiresInDays: z.int().min(1).max(KEY_DAYS_MAX).optional(),
    expiresAt: queryTime.optional(),
    ...limits,
  })
  .refine((body) => body.expiresInDays === undefined || body.expiresAt === undefined, {
    path: ['expiresAt'],
    error: 'cannot be given together with expiresInDays',
  })

export const KeyChangeBody = z
  .object({ name: line(100).optional(), ...limits })
  .meta({ examples: [{ budgetMinor: 500000, budgetPeriod: 'month', models: ['open', 'claude-*'] }] })

export const CreatedKey = z.object({
  id: z.string(),
  key: z.string().meta({ description: 'The key itself. It is shown only once.' }),
  prefix: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  expiresAt: timestamp.nullable(),
  ...limitsOut,
})
