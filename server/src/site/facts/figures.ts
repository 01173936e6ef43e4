// The figures of the public pages in one currency. All of them come from the settings, the catalogue and the rate card.
import { listPlans, type Plan, planRateCard } from '../../billing/billing.ts'
import { OUTPUT_MAX } from '../../gateway/gateway.ts'
import type { Currency } from '../../kernel/money.ts'
import { catalogueFor, costOf, fromKobo, type Lane, lanesFor, priceOf } from '../../metering/metering.ts'
import { channelsIn } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { RECORDED_TASK } from './recorded-task.ts'

const PER_TOKENS = 1_000_000

/** Prices of a million tokens in minor units. */
export type ModelPrice = {
  readonly id: string
  /** Null for a lane, which the page names itself. */
  readonly title: string | null
  readonly lane: Lane
  readonly contextTokens: number
  readonly outputTokens: number
  readonly inputMinor: bigint
  readonly cachedInputMinor: bigint
  readonly cacheWriteMinor: bigint
  readonly outputMinor: bigint
}

export type Figures = {
  readonly currency: Currency
  readonly models: readonly ModelPrice[]
  readonly plans: readonly Plan[]
  readonly channels: ReturnType<typeof channelsIn>
  readonly task: TaskFigures
}
/** The recorded task at the current price. */
export type TaskFigures = { readonly maxMinor: bigint; readonly spentMinor: bigint; readonly tokens: number }

export function figuresIn(app: App, currency: Currency): Figures {
  return {
    currency,
    models: modelPrices(app, currency),
    plans: listPlans(planRateCard(app), currency),
    channels: channelsIn(app, currency),
    task: taskFigures(app, currency),
  }
}

/** The models of a new organisation without a restricting policy. */
function modelPrices(app: App, currency: Currency): ModelPrice[] {
  const org: Pick<Actor['org'], 'allowedLanes' | 'allowedModels' | 'residencyRegion'> = {
    allowedLanes: ['open', 'frontier'],
    allowedModels: null,
    residencyRegion: null,
  }
  const stranger = { org: org as Actor['org'], keyLimits: null }
  const minor = (lane: Lane, kobo: bigint | undefined): bigint => {
    const each =
      kobo === undefined ? null : { input: kobo, output: kobo, cachedInput: kobo, cacheWrite: kobo }
    return costOf(priceOf(app, lane, currency, each), PER_TOKENS)
  }
  const lanes = lanesFor(app, stranger.org).map(({ lane }) => ({
    id: lane,
    title: null,
    lane,
    contextTokens: app.config.upstreamContextTokens,
    outputTokens: OUTPUT_MAX,
    price: undefined,
  }))
  return [...lanes, ...catalogueFor(app, stranger)].map(
    ({ id, title, lane, contextTokens, outputTokens, price }) => ({
      id,
      title,
      lane,
      contextTokens,
      outputTokens,
      inputMinor: minor(lane, price?.input),
      cachedInputMinor: minor(lane, price?.cachedInput),
      cacheWriteMinor: minor(lane, price?.cacheWrite),
      outputMinor: minor(lane, price?.output),
    }),
  )
}

function taskFigures(app: App, currency: Currency): TaskFigures {
  const price = priceOf(app, RECORDED_TASK.lane, currency)
  const tokens = RECORDED_TASK.events.reduce(
    (sum, event) => sum + (event.kind === 'cost' ? event.tokens : 0),
    0,
  )
  return {
    maxMinor: fromKobo(planRateCard(app), RECORDED_TASK.maxKobo, currency).minor,
    // The calls of a turn share their rounding, so the turn is rounded up once.
    spentMinor: costOf(price, tokens),
    tokens,
  }
}
