// Reply shapes of usage.
import { z } from 'zod'
import { isId, type OrgId } from '../kernel/ids.ts'
import { minorOut, pageQuery, queryTime, timestamp } from '../platform/http/shapes.ts'

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
      }),
    )
    .meta({ description: 'The newest first, at most 1000.' }),
  totals: z
    .object({
      costMinor: minorOut,
      tokens: count,
      byLane: z.record(z.string(), Spent),
      bySource: z.record(z.string(), Spent),
      byDay: z
        .array(Spent.extend({ day: z.string().meta({ examples: ['2026-11-15'] }) }))
        .meta({ description: 'Days in UTC that have any, the earliest first.' }),
    })
    .meta({ description: 'Of everything in the time asked for, also beyond the points listed.' }),
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
      seatCapMinor: minorOut.nullable().meta({ description: 'Null for no cap.' }),
      remainingMinor: minorOut.nullable().meta({ description: 'Null without a cap.' }),
    }),
  ),
  totalMinor: minorOut.meta({
    description: 'Of the whole organisation, also of who is no longer a member.',
  }),
  monthStart: timestamp,
  nextCursor: z.string().nullable(),
})
