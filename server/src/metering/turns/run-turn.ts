// Runs the paid work of a turn: renews its hold, counts the model call, and releases the hold when the work fails.
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { recordRouteFailure, recordRouteStart, recordRouteSuccess } from '../../models/models.ts'
import type { App } from '../../platform/app.ts'
import { RESTARTING } from '../../platform/http/reply/sse.ts'
import { UpstreamFailed } from '../../platform/inference/inference.ts'
import { withClientSpan } from '../../platform/log/trace-context.ts'
import { InexpressibleError } from '../../platform/wires/wires.ts'
import { extendHold } from '../../wallet/wallet.ts'
import { type ModelRoute, nextRoute } from '../routing.ts'
import { recordSuccess, upstreamError } from '../upstream-health.ts'
import { releaseTurn, type Turn } from './turns.ts'

// A crashed process leaves its hold open for at most this long.
const HOLD_SECONDS = 90
const RENEW_MS = 30_000

export type TurnRun<W> = {
  readonly turn: Turn
  readonly ref: string
  readonly route: ModelRoute
  /** Called once, before the first route is tried. */
  readonly onHeld?: (() => void | Promise<void>) | undefined
  /** Asks the model over this route. */
  readonly work: (route: ModelRoute) => Promise<W>
  /** Whether the caller has received a part of the answer. Then no other route is tried. */
  readonly isDelivered: () => boolean
  /** The finish reason and the tokens of the work, for the metrics. */
  readonly count: (done: W) => { readonly finish: string; readonly tokens: number }
  /** Frees the hold of failed work. Default: `releaseTurn`. */
  readonly release?: ((turn: Turn) => Promise<unknown>) | undefined
}

/**
 * Runs the work, then `settle`. The hold is renewed until both are done. When the work fails the hold is released, and
 * the error is the one that the customer gets. When `settle` fails, its caller releases the hold.
 */
export async function runTurn<W, R>(
  app: App,
  run: TurnRun<W>,
  settle: (done: W) => R | Promise<R>,
): Promise<R> {
  const renewal = renewHold(app, run.turn)
  try {
    return await settle(await runWork(app, run))
  } finally {
    clearInterval(renewal)
  }
}

async function runWork<W>(app: App, run: TurnRun<W>): Promise<W> {
  const { turn, count, release } = run
  const startedMs = performance.now()
  const report = ({ lane, model }: ModelRoute, outcome: string, tokens: number) =>
    app.metrics.modelCall(lane, model, outcome, (performance.now() - startedMs) / 1000, tokens)
  try {
    await run.onHeld?.()
    const { done, route } = await tryRoutes(app, run)
    const { finish, tokens } = count(done)
    report(route, finish, tokens)
    return done
  } catch (error) {
    report(run.route, 'failed', 0)
    turn.record?.fail(error)
    await (release?.(turn) ?? releaseTurn(app, turn))
    throw error
  }
}

/** Tries the routes in their order until one answers. A failed attempt costs nothing, because the hold covers one answer. */
async function tryRoutes<W>(app: App, run: TurnRun<W>): Promise<{ done: W; route: ModelRoute }> {
  /** The failure of a provider counts more than a field that another one cannot express. */
  let failure: unknown
  for (let route: ModelRoute | null = run.route; route; ) {
    run.turn.record?.ask(route.provider)
    recordRouteStart(app, route.key)
    try {
      const done = await tracedWork(app, run, route)
      recordSuccess(app, route.target)
      recordRouteSuccess(app, route.key)
      return { done, route }
    } catch (error) {
      if (error instanceof UpstreamFailed) failure = await recordFailure(app, run, route, error)
      else if (error instanceof InexpressibleError) failure ??= error
      else throw error
      const next: ModelRoute | null = run.isDelivered() ? null : nextRoute(route)
      if (next) app.log.warn({ ref: run.ref, from: route.key, to: next.key }, 'metering.route.failed_over')
      route = next
    }
  }
  throw failure
}

/** In the semantic conventions of OpenTelemetry for generative AI. Never the prompt or the answer. */
function tracedWork<W>(app: App, run: TurnRun<W>, route: ModelRoute): Promise<W> {
  const { lane, model, provider } = route
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': model,
    'gen_ai.provider.name': provider,
    'cowrie.lane': lane,
  }
  return withClientSpan(app.tracing, `chat ${model}`, attributes, async (span) => {
    const done = await run.work(route)
    if (span.isRecording) {
      const { finish, tokens } = run.count(done)
      span.set({ 'gen_ai.response.finish_reasons': finish, 'cowrie.usage.tokens': tokens })
    }
    return done
  })
}

/** Returns the error of the customer, for the case that no other route is left. */
async function recordFailure<W>(
  app: App,
  { ref }: TurnRun<W>,
  { key, model, target }: ModelRoute,
  error: UpstreamFailed,
): Promise<ApiError> {
  app.log.warn({ err: error, model, ref }, 'metering.model_call.failed')
  // A customer must not be able to open the circuit of a provider for others.
  if (!error.isRequestRejected) recordRouteFailure(app, key, error.rejectionStatus !== undefined)
  return upstreamError(app, error, target)
}

/** The deadline of a hold that this process renews. */
export const holdDeadline = (app: App): Date => after(app.clock.now(), { seconds: HOLD_SECONDS })

/** Extends the hold until the returned timer is cleared. */
export function renewHold(app: App, { orgId, hold }: Turn): NodeJS.Timeout {
  return setInterval(() => {
    extendHold(app, { orgId, holdId: hold.holdId, deadline: holdDeadline(app) }).catch((error) =>
      app.log.warn({ err: error, orgId, holdId: hold.holdId }, 'metering.hold.renew_failed'),
    )
  }, RENEW_MS).unref()
}

/** Work that a shutdown ends, or an error of the caller's stream, was not ended by the customer. */
export function throwIfShuttingDown({ reason }: AbortSignal): void {
  if (reason instanceof ApiError) throw reason
  if (reason === RESTARTING) throw new UpstreamFailed('unavailable', 'the service is shutting down')
}
