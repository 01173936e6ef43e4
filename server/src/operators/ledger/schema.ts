// Request and reply schemas of the ledger check.
import { z } from 'zod'
import { minorOut, pageQuery, timestamp } from '../../platform/http/shapes.ts'

const count = z.bigint().meta({ wire: { type: 'integer', format: 'int64', minimum: 0, examples: [42] } })

export const LedgerInvariantsQuery = z.object({ cursor: pageQuery().cursor })

export const LedgerInvariants = z.object({
  ok: z.boolean().meta({ description: 'Every check passes, and every currency sums to zero.' }),
  at: timestamp,
  checks: z.array(
    z.object({
      name: z.string(),
      holds: z.string().meta({ description: 'The invariant that the check verifies.' }),
      ok: z.boolean(),
      finished: z.boolean().meta({ description: 'False if it timed out; then the result is unknown.' }),
      checked: count,
      violations: count,
      examples: z.array(z.string()).meta({ description: 'Ids of the first violations, at most ten.' }),
    }),
  ),
  trialBalance: z.array(
    z.object({
      currency: z.string(),
      ok: z.boolean(),
      sumMinor: minorOut.meta({ description: 'Sum over all accounts. Zero if the books balance.' }),
      accounts: z.array(z.object({ account: z.string(), totalMinor: minorOut })),
    }),
  ),
  nextCursor: z
    .string()
    .nullable()
    .meta({ description: 'Continues the hash check; null when it is complete.' }),
})
