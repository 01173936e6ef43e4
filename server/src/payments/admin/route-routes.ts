// Staff routes of the order of provider accounts, and of their results.
import { z } from 'zod'
import { currencies } from '../../kernel/money.ts'
import { route } from '../../platform/http/route.ts'
import { line, minorOut, ok } from '../../platform/http/shapes.ts'
import { channelNames } from '../channels.ts'
import { listPerformance, PERFORMANCE_WINDOWS } from './performance.ts'
import { changeRoute, listRoutes, ROUTES_MAX } from './route-settings.ts'

const count = z.int().min(0)
const account = z.string().meta({ description: 'The country; `all` where one account serves every country.' })
const basisPoints = z.int().nullable().meta({
  description: 'Fees in hundredths of a percent of the amounts whose fee is known; null where none is known.',
})

const Routes = z.object({
  routes: z.array(
    z
      .object({
        channel: z.enum(channelNames),
        currency: z.enum(currencies),
        accounts: z
          .array(
            z.object({
              rail: z.string(),
              account,
              keys: z.enum(['live', 'test']),
              priority: z.int().nullable().meta({ description: 'Set by staff; null where none is set.' }),
              isDown: z.boolean().meta({
                description: 'Comes last, because its circuit is open or it refused our keys a moment ago.',
              }),
              settled: count.meta({ description: 'Settled payments among the decided ones.' }),
              decided: count.meta({
                description: 'Settled, failed and expired payments that were started in the last 24 hours.',
              }),
              feeBasisPoints: basisPoints,
            }),
          )
          .meta({ description: 'In the order in which they are asked now.' }),
      })
      .meta({ id: 'RailRoute' }),
  ),
})

const RouteChange = z
  .object({
    channel: z.enum(channelNames),
    currency: z.enum(currencies),
    accounts: z
      .array(z.object({ rail: line(40), account: line(40), priority: z.int().min(1).max(100) }))
      .max(ROUTES_MAX)
      .meta({ description: 'Replaces the stored order. Empty: the default order.' }),
  })
  .meta({
    examples: [
      { channel: 'card', currency: 'NGN', accounts: [{ rail: 'flutterwave', account: 'all', priority: 1 }] },
    ],
  })

const Results = z
  .object({
    attempts: count.meta({ description: 'How often the account was asked to collect a payment.' }),
    accepted: count,
    settled: count.meta({ description: 'Payments that were paid at this account.' }),
    failed: count,
    expired: count,
    pending: count,
    failovers: count.meta({ description: 'Attempts after which another account was asked.' }),
    successPercent: z.number().nullable().meta({
      description: 'Settled payments of the decided ones; null where none is decided.',
    }),
    medianSeconds: z.int().nullable().meta({ description: 'From the attempt to the settlement.' }),
    feesMinor: minorOut,
    feeBasisPoints: basisPoints,
  })
  .meta({ id: 'RailResults' })

const Performance = z.object({
  accounts: z.array(
    z
      .object({
        rail: z.string(),
        account,
        channel: z.string(),
        currency: z.string(),
        results: z.object({ day: Results, month: Results }),
      })
      .meta({ id: 'RailPerformance' }),
  ),
  isComplete: z.boolean().meta({
    description: 'False when there are more attempts than are counted: the newest 100,000.',
  }),
})

export const railRoutingRoutes = [
  route('admin.railRoutes.list', 'GET /admin/rails/routes', {
    summary: 'List the order of provider accounts for each channel and currency.',
    detail:
      'Working accounts come first, then those with a lower priority number. Among equal priorities an account comes later if its success rate of the last 24 hours is more than 10 percentage points below the best one (from 20 decided payments on), then if its fees are more than 0.2 percent of the amount above the lowest ones, then by the default order.',
    access: { staff: 'any' },
    rate: 'global',
    reply: { 200: Routes },
    handle: async ({ app }) => ({ routes: await listRoutes(app) }),
  }),

  route('admin.railRoutes.set', 'PUT /admin/rails/routes', {
    summary: 'Set the order of provider accounts for a channel and currency.',
    detail: 'Accounts without a priority come after those with one. New payments use the order at once.',
    access: { staff: ['operator', 'super_admin'] },
    stepUp: true,
    rate: 'global',
    audit: true,
    body: RouteChange,
    reply: { 200: ok },
    handle: ({ app, actor, body, request }) => changeRoute(app, actor, body, request.address),
  }),

  route('admin.railPerformance', 'GET /admin/rails/performance', {
    summary: 'Show success rates, durations and fees of provider accounts by channel.',
    detail: `Counts attempts of the last ${PERFORMANCE_WINDOWS.day.hours} hours and ${PERFORMANCE_WINDOWS.month.days} days. Charges of stored cards have no choice of accounts and are left out.`,
    access: { staff: 'any' },
    rate: 'global',
    reply: { 200: Performance },
    handle: ({ app }) => listPerformance(app),
  }),
]
