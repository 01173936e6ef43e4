// Which rail serves a channel right now: the provider's when its keys are set, the mock otherwise.
import { ApiError } from '../kernel/errors.ts'
import type { App } from '../platform/app.ts'
import { type ChannelName, channelByName } from './channels.ts'
import { daraja } from './rails/daraja.ts'
import { fawry } from './rails/fawry.ts'
import { flutterwave } from './rails/flutterwave.ts'
import { openMock } from './rails/mock.ts'
import { momo } from './rails/momo.ts'
import { opay } from './rails/opay.ts'
import { ozow } from './rails/ozow.ts'
import { palmpay } from './rails/palmpay.ts'
import { paystack } from './rails/paystack.ts'
import { Misconfigured, type OpenRail, type Rail, type RailName, type Variables } from './rails/rail.ts'
import { decide, decisionOf } from './sql.ts'

export type Mode = 'live' | 'mock'
export type Served = { readonly mode: Mode; readonly rail: OpenRail }

/** Every provider that we can speak to, for the posture page and the check at the start. */
export const providers: readonly Rail[] = [paystack, flutterwave, daraja, momo, opay, palmpay, ozow, fawry]

/** The rail of a channel. Throws `payments_not_configured` where only play money could be taken and none may be. */
export function railFor(app: App, channel: ChannelName): Served {
  const served = maybeRailFor(app, channel)
  if (!served) throw new ApiError('payments_not_configured')
  return served
}

/** The same for those who only list what there is; null where nothing may be taken. */
export function maybeRailFor(app: App, channel: ChannelName): Served | null {
  const rail = openRail(app, channelByName(channel).rail)
  // What is paid with a provider's test keys is never credited in production, so nobody is sent to pay it.
  const isPlay = rail === null || rail.keys === 'test'
  if (isPlay && app.config.environment === 'production') return null
  if (rail) return { mode: 'live', rail }
  const mock = openRail(app, 'mock')
  return mock && { mode: 'mock', rail: mock }
}

/** A rail by its name, with its keys in hand; null when they are not set, and for the mock in production. */
export function openRail(app: App, name: RailName): OpenRail | null {
  const rails = opened.get(app) ?? openAll(app)
  return rails.get(name) ?? null
}

/** What is half set, in sentences that name the variables. */
export function railProblems(variables: Variables): string[] {
  return providers.flatMap((rail) => {
    try {
      rail.open(variables)
      return []
    } catch (error) {
      if (error instanceof Misconfigured) return error.problems
      throw error
    }
  })
}

// A rail may remember tokens and keys that it made, so one app opens each once.
const opened = new WeakMap<App, ReadonlyMap<RailName, OpenRail | null>>()

function openAll(app: App): ReadonlyMap<RailName, OpenRail | null> {
  const isMockAllowed = app.config.environment !== 'production'
  const mock = openMock({
    baseUrl: app.config.baseUrl,
    decisionOf: (reference) => app.db.tx('platform', (tx) => decisionOf(tx, reference)),
    decide: (reference, decision) => app.db.tx('platform', (tx) => decide(tx, reference, decision)),
  })
  const rails = new Map<RailName, OpenRail | null>([
    ...providers.map((rail) => [rail.name, rail.open(app.config.rails)] as const),
    ['mock', isMockAllowed ? mock : null],
  ])
  opened.set(app, rails)
  return rails
}
