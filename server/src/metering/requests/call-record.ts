// The row of one model call. It is recorded once: when the charge is known, or when the call fails.
import { ApiError, ERRORS } from '../../kernel/errors.ts'
import type { KeyId, OrgId, UserId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { WireError } from '../../platform/wires/wires.ts'
import { recordRequest } from './request-log.ts'
import { NO_TOKENS, type ReportedUsage, type TokenClasses, tokenClasses } from './request-row.ts'

export type CallOrigin = {
  readonly orgId: OrgId
  readonly userId: UserId | null
  readonly keyId: KeyId | null
  /** The endpoint, or the kind of work: `agent.run`. */
  readonly route: string
  /** The name that the customer uses. */
  readonly model: string
  readonly provider: string | null
  readonly requestId: string | null
}

type Charge = {
  readonly costMinor: bigint
  /** Without rounding, in minor units; null for a charge that does not accrue. */
  readonly exactCost: string | null
  readonly ledgerId: string | null
}
type Ending = Charge & {
  readonly status: number
  readonly code: string | null
  readonly tokens: TokenClasses
}

const NO_CHARGE: Charge = { costMinor: 0n, exactCost: null, ledgerId: null }
const SUCCESS = { status: 200, code: null }
/** The client disconnected before there was output. No response has this status. */
const DISCONNECTED = { status: 499, code: 'client_disconnected' }

export class CallRecord {
  readonly #app: App
  readonly #origin: CallOrigin
  readonly #startedMs = performance.now()
  #provider: string | null
  #firstOutputMs: number | null = null
  #endedMs: number | null = null
  #tokens: TokenClasses = NO_TOKENS
  #isRecorded = false

  constructor(app: App, origin: CallOrigin) {
    this.#app = app
    this.#origin = origin
    this.#provider = origin.provider
  }

  /** Another provider is asked. */
  ask(provider: string): void {
    this.#provider = provider
  }

  /** The first output. It is counted from the same start as the duration, so it is never longer. */
  markOutput(atMs = performance.now()): void {
    this.#firstOutputMs ??= Math.max(0, atMs - this.#startedMs)
  }

  /** The model has answered. The time until its charge is not a part of the duration. */
  end(used: ReportedUsage | null): void {
    this.#endedMs ??= performance.now()
    if (used) this.#tokens = tokenClasses(used)
  }

  settle(charge: Charge = NO_CHARGE): void {
    this.#record({ ...charge, ...SUCCESS, tokens: this.#tokens })
  }

  disconnect(): void {
    this.#record({ ...NO_CHARGE, ...DISCONNECTED, tokens: NO_TOKENS })
  }

  fail(error: unknown): void {
    this.#record({ ...NO_CHARGE, ...failureOf(error), tokens: NO_TOKENS })
  }

  #record(ending: Ending): void {
    if (this.#isRecorded) return
    this.#isRecorded = true
    if (this.#firstOutputMs !== null)
      this.#app.metrics.firstToken(this.#origin.model, this.#firstOutputMs / 1000)
    const durationMs = (this.#endedMs ?? performance.now()) - this.#startedMs
    recordRequest(this.#app, {
      ...this.#origin,
      ...ending,
      provider: this.#provider,
      ttftMs: this.#firstOutputMs,
      durationMs,
    })
  }
}

function failureOf(error: unknown): { status: number; code: string } {
  if (error instanceof ApiError) return { status: error.status, code: error.code }
  const code = error instanceof WireError ? 'invalid_fields' : 'internal'
  return { status: ERRORS[code].status, code }
}
