// Schemas of usage.
import { z } from 'zod'
import { isId, type OrgId } from '../kernel/ids.ts'
import { exactCost, minorOut, pageQuery, queryTime, timestamp } from '../platform/http/shapes.ts'

const count = z.bigint().meta({ wire: { type: 'integer', format: 'int64', minimum: 0, examples: [18250] } })
const Spent = z.object({ costMinor: minorOut, tokens: count })

export const UsageQuery = z.object({
  from: queryTime.optional().meta({ description: 'By default 30 days before `to`; at most 366.' }),
  to: queryTime.optional().meta({ description: 'Not included. By default now.' }),
})

export const OwnUsage = z.object({
  points: z
    .array(
      z.object({
        at: timestamp,
        lane: z.string(),
        model: z.string(),
        source: z.string(),
        tokens: count,
        costMinor: minorOut,
        exactCost,
      }),
    )
    .meta({ description: 'Newest first, at most 1000.' }),
  totals: z
    .object({
      costMinor: minorOut,
      tokens: count,
      byLane: z.record(z.string(), Spent),
      bySource: z.record(z.string(), Spent),
      byDay: z
        .array(Spent.extend({ day: z.string().meta({ examples: ['2026-11-15'] }) }))
        .meta({ description: 'Days with usage (UTC), earliest first.' }),
    })
    .meta({ description: 'The total of the whole period, including points that are not listed.' }),
  from: timestamp,
  to: timestamp,
})

export const TeamParams = z.object({
  orgId: z.custom<OrgId>((value) => typeof value === 'string' && isId('org', value)),
})
export const TeamUsageQuery = z.object(pageQuery())

export const TeamUsage = z.object({
  members: z.array(
    z.object({
      userId: z.string(),
      email: z.string(),
      monthMinor: minorOut,
      seatCapMinor: minorOut.nullable().meta({ description: 'Null without a cap.' }),
      remainingMinor: minorOut.nullable().meta({ description: 'Null without a cap.' }),
    }),
  ),
  totalMinor: minorOut.meta({
    description: 'The total of the organisation, including former members.',
  }),
  monthStart: timestamp,
  nextCursor: z.string().nullable(),
})
