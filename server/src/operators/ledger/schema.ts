// The shapes of what staff see of all money.
import { z } from 'zod'
import { minorOut, pageQuery, timestamp } from '../../platform/http/shapes.ts'

const count = z.bigint().meta({ wire: { type: 'integer', format: 'int64', minimum: 0, examples: [42] } })

export const LedgerInvariantsQuery = z.object({ cursor: pageQuery().cursor })

export const LedgerInvariants = z.object({
  ok: z.boolean().meta({ description: 'Every check holds, and every currency sums to zero.' }),
  at: timestamp,
  checks: z.array(
    z.object({
      name: z.string(),
      holds: z.string().meta({ description: 'What is true when the check is right.' }),
      ok: z.boolean(),
      finished: z.boolean().meta({ description: 'False when it took too long: then nothing is known.' }),
      checked: count,
      violations: count,
      examples: z.array(z.string()).meta({ description: 'Ids of the first that break it, at most ten.' }),
    }),
  ),
  trialBalance: z.array(
    z.object({
      currency: z.string(),
      ok: z.boolean(),
      sumMinor: minorOut.meta({ description: 'Over all accounts; zero, or money has appeared or gone.' }),
      accounts: z.array(z.object({ account: z.string(), totalMinor: minorOut })),
    }),
  ),
  nextCursor: z
    .string()
    .nullable()
    .meta({ description: 'Where the check of hashes goes on; null when it has seen the last.' }),
})
