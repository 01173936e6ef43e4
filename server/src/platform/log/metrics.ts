// Prometheus metrics, in a registry of this app.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { once } from '../../kernel/once.ts'
import { createRequestMetrics } from './request-metrics.ts'

export type Metrics = {
  request(route: string, method: string, status: number, seconds: number): void
  job(name: string, outcome: string, seconds: number): void
  /** `tokens` is the sum of prompt and output tokens. */
  modelCall(lane: string, model: string, outcome: string, seconds: number, tokens: number): void
  /** A failed attempt to call a model at a provider. */
  routeFailed(provider: string): void
  mail(outcome: MailOutcome): void
  /** The outcome of a push notification to one browser, or of a message to none. */
  push(kind: string, outcome: string): void
  rateLimited(bucket: string): void
  /** A call from an address that the list of the API key or of the organisation lacks. */
  addressRefused(list: 'key' | 'organisation'): void
  /** Rows of the request log that could not be stored. */
  requestLogLost(reason: string, rows: number): void
  /** The outcome of a payment or webhook: `settled`, `review`, `forged`. */
  payment(rail: string, outcome: string): void
  /** Trial credit: `granted`, `expired`, or the reason of a refusal. */
  trialCredit(outcome: string): void
  /** How long a caller waited for a database connection, where none was free. */
  poolWaited(seconds: number): void
  /** The time from a call of a model to the first part of its answer. */
  firstToken(model: string, seconds: number): void
  /** The time from the first receipt of a payment's webhook to the credit. */
  paymentCredited(rail: string, seconds: number): void
  /** An attempt to deliver a webhook. `waitedSeconds`: since its event, for the first attempt at a healthy endpoint. */
  webhookAttempt(outcome: 'delivered' | 'failed', waitedSeconds: number | null): void
  /** Registers the reader of a gauge. A later reader replaces an earlier one. */
  watch(level: Level, read: () => number): void
  /** Registers the reader of the number of open circuits by provider. A later reader replaces an earlier one. */
  watchProviders(read: () => ReadonlyMap<string, number>): void
  /** Registers the text of the gauges that are read from the database. */
  watchFigures(read: () => Promise<string>): void
  exposition(): Promise<string>
  readonly contentType: string
}

export type MailOutcome = 'sent' | 'kept' | 'retried' | 'refused' | 'failed'
export type Level = keyof typeof LEVELS

const LEVELS = {
  streams_open: 'Event streams that clients hold open.',
  pool_in_use: 'Database connections that are working.',
  pool_waiting: 'Callers that wait for a database connection.',
  jobs_running: 'Background jobs that this process works on.',
  spans_dropped: 'Trace spans that could not be delivered.',
} as const

const WAIT_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 5]
const FIRST_TOKEN_SECONDS = [0.25, 0.5, 1, 2, 5, 10, 20, 60]
const IN_TIME_SECONDS = [1, 5, 15, 30, 60, 120, 300, 900, 3_600]
const WORK_SECONDS = [0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]

// Bounds the number of label values. Surplus values are counted as `other`.
const NAMES_MAX = 500
const MODELS_MAX = 50
const PROVIDERS_MAX = 200
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Its observers of garbage collection and of the event loop never end, so a process has them once. */
const processMetrics = once(() => {
  const register = new Registry()
  collectDefaultMetrics({ register })
  return register
})

/** `processDefaults: false` omits memory, CPU and event-loop metrics, which all apps of a process share. */
export function createMetrics({ processDefaults = true } = {}): Metrics {
  const register = new Registry()
  const registers = [register]
  // The observation begins with the first app, not with the first reading.
  if (processDefaults) processMetrics()

  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: `cowrie_${name}`, help, labelNames, registers })
  const histogram = (name: string, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ name: `cowrie_${name}`, help, labelNames, buckets, registers })

  const jobSeconds = histogram('job_seconds', 'Time a background job took.', ['job', 'outcome'], WORK_SECONDS)
  const modelSeconds = histogram(
    'model_call_seconds',
    'Time of a model call.',
    ['lane', 'model', 'outcome'],
    WORK_SECONDS,
  )
  const modelTokens = counter('model_tokens_total', 'Tokens read and written by models.', ['lane', 'model'])
  const routeFailures = counter('model_route_failures_total', 'Failed calls of models by provider.', [
    'provider',
  ])
  const mails = counter('mails_total', 'Mails by outcome.', ['outcome'])
  const pushes = counter('push_messages_total', 'Push notifications by kind and outcome.', [
    'kind',
    'outcome',
  ])
  const trialCredits = counter('trial_credits_total', 'Trial credits by outcome.', ['outcome'])
  const payments = counter('payments_total', 'Payments and webhooks by outcome.', ['rail', 'outcome'])
  const limited = counter('rate_limited_total', 'Requests rejected by a rate limit.', ['bucket'])

  const addressRefusals = counter('address_refused_total', 'Calls refused by a list of allowed addresses.', [
    'list',
  ])
  const poolWaits = histogram('pool_wait_seconds', 'Time callers waited for a connection.', [], WAIT_SECONDS)
  const firstTokens = histogram(
    'model_first_token_seconds',
    'Time from a call of a model to the first part of its answer.',
    ['model'],
    FIRST_TOKEN_SECONDS,
  )
  const credits = histogram(
    'payment_credit_seconds',
    'Time from the webhook of a payment to its credit.',
    ['rail'],
    IN_TIME_SECONDS,
  )
  const webhookAttempts = counter('webhook_attempts_total', 'Attempts to deliver webhooks.', ['outcome'])
  const webhookWaits = histogram(
    'webhook_first_attempt_seconds',
    'Time from an event to the first attempt at a healthy endpoint.',
    [],
    IN_TIME_SECONDS,
  )
  const logLost = counter(
    'request_log_lost_rows_total',
    'Rows of the request log that could not be stored.',
    ['reason'],
  )

  const routeName = atMost(NAMES_MAX)
  const jobName = atMost(NAMES_MAX)
  const outcomeName = atMost(MODELS_MAX)
  const laneName = atMost(MODELS_MAX)
  const modelName = atMost(MODELS_MAX)
  const bucketName = atMost(MODELS_MAX)
  const providerName = atMost(PROVIDERS_MAX)
  const railName = atMost(MODELS_MAX)
  const verdictName = atMost(MODELS_MAX)

  const requests = createRequestMetrics()
  const readers = new Map<Level, () => number>()
  let readFigures: () => Promise<string> = async () => ''
  let readProviders: () => ReadonlyMap<string, number> = () => new Map()
  new Gauge({
    name: 'cowrie_model_circuits_open',
    help: 'Routes of models whose circuit breaker is open, by provider.',
    labelNames: ['provider'],
    registers,
    collect() {
      this.reset()
      for (const [provider, open] of readProviders()) this.labels(provider).set(open)
    },
  })

  return {
    request(route, method, status, seconds) {
      requests.count(routeName(route), METHODS.has(method) ? method : 'other', status, seconds)
    },
    job: (name, outcome, seconds) => jobSeconds.labels(jobName(name), outcomeName(outcome)).observe(seconds),
    modelCall(lane, model, outcome, seconds, tokens) {
      const [laneLabel, modelLabel] = [laneName(lane), modelName(model)]
      modelSeconds.labels(laneLabel, modelLabel, outcomeName(outcome)).observe(seconds)
      if (tokens > 0) modelTokens.labels(laneLabel, modelLabel).inc(tokens)
    },
    routeFailed: (provider) => routeFailures.labels(providerName(provider)).inc(),
    push: (kind, outcome) => pushes.labels(kind, outcome).inc(),
    mail: (outcome) => mails.labels(outcome).inc(),
    rateLimited: (bucket) => limited.labels(bucketName(bucket)).inc(),
    addressRefused: (list) => addressRefusals.labels(list).inc(),
    requestLogLost: (reason, rows) => logLost.labels(reason).inc(rows),
    trialCredit: (outcome) => trialCredits.labels(outcome).inc(),
    payment: (rail, outcome) => payments.labels(railName(rail), verdictName(outcome)).inc(),
    poolWaited: (seconds) => poolWaits.observe(seconds),
    firstToken: (model, seconds) => firstTokens.labels(modelName(model)).observe(seconds),
    paymentCredited: (rail, seconds) => credits.labels(railName(rail)).observe(seconds),
    webhookAttempt(outcome, waitedSeconds) {
      webhookAttempts.labels(outcome).inc()
      if (waitedSeconds !== null) webhookWaits.observe(waitedSeconds)
    },
    watch(level, read) {
      if (!readers.has(level)) addGauge(level, () => readers.get(level)?.() ?? 0, registers)
      readers.set(level, read)
    },
    watchProviders(read) {
      readProviders = read
    },
    watchFigures(read) {
      readFigures = read
    },
    async exposition() {
      const all = processDefaults ? [processMetrics(), register] : [register]
      return (
        (await Promise.all(all.map((each) => each.metrics()))).join('') +
        requests.exposition() +
        (await readFigures())
      )
    },
    contentType: register.contentType,
  }
}

function addGauge(level: Level, read: () => number, registers: Registry[]): void {
  new Gauge({
    name: `cowrie_${level}`,
    help: LEVELS[level],
    registers,
    collect() {
      this.set(read())
    },
  })
}

/** Returns the first `max` different names unchanged and `other` for all later ones. */
function atMost(max: number): (name: string) => string {
  const known = new Set<string>()
  return (name) => {
    if (known.has(name)) return name
    if (known.size >= max) return 'other'
    known.add(name)
    return name
  }
}
