// Polls a payment until it is settled: less often with data saver, and for a limited time.
import { type Client, CowrieError, type Currency, outcomeOf, type Topup } from '@cowrie/sdk'
import type { Context } from '../command.ts'
import { formatMoney } from '../spending/money.ts'

/** The state of a payment. When looked up directly, its times are unknown. */
export type PaymentState = Pick<
  Topup,
  'reference' | 'status' | 'channel' | 'mode' | 'amountMinor' | 'reason'
> &
  Partial<Pick<Topup, 'createdAt' | 'expiresAt'>>

const PAUSE_MS = 5_000
const SAVING_PAUSE_MS = 15_000
/** A payer usually decides within this time. */
const STEADY_MS = 10 * 60_000
const LATE_PAUSE_MS = 30_000
/** The service keeps checking after this. */
const GIVE_UP_MS = 60 * 60_000
const TICK_MS = 1_000

/** Returns when the payment is settled, or as pending when the time is over. */
export async function waitForPayment(
  context: Context,
  started: PaymentState,
  currency: Currency,
): Promise<PaymentState> {
  const { client, machine, out, signal } = context
  const startedMs = machine.nowMs()
  let payment = started
  let hasFailed = false
  const amount = formatMoney(started.amountMinor, currency)
  if (!out.mode.live) out.note(`Waiting for ${amount}. You can stop waiting; the payment continues.`)
  for (;;) {
    try {
      payment = await readPayment(client, payment.reference, signal)
      hasFailed = false
    } catch (error) {
      if (!(error instanceof CowrieError) || outcomeOf(error) === 'decided') throw error
      if (!hasFailed) out.warn(`${error.message} Still waiting.`)
      hasFailed = true
    }
    const waitedMs = machine.nowMs() - startedMs
    const endsMs = startedMs + Math.min(GIVE_UP_MS, lifeOf(payment, machine.now(), waitedMs))
    if (payment.status !== 'pending' || machine.nowMs() >= endsMs) return payment
    await pause(context, { endsMs, waitedMs, amount })
  }
}

/**
 * Asks the provider only for real money: in the sandbox the same call would approve the payment, which the payer should
 * do.
 */
export async function readPayment(
  client: Client,
  reference: string,
  signal: AbortSignal | undefined,
): Promise<PaymentState> {
  const listed = (await listedAmong(5)) ?? (await listedAmong(200))
  if (listed && (listed.mode === 'mock' || listed.status === 'settled')) return listed
  return { ...listed, ...(await client.wallet.verify({ reference }, { signal })) }

  /** The newest payments are enough and cheap to read. */
  async function listedAmong(limit: number): Promise<Topup | undefined> {
    const { topups } = await client.wallet.topups({ limit }, { signal })
    return topups.find((topup) => topup.reference === reference)
  }
}

/** Counts the service's duration from now, so a wrong local clock does not matter. */
function lifeOf({ createdAt, expiresAt }: PaymentState, now: Date, waitedMs: number): number {
  if (expiresAt === undefined) return GIVE_UP_MS
  const left = Date.parse(expiresAt) - now.getTime()
  const whole = createdAt === undefined ? left : Date.parse(expiresAt) - Date.parse(createdAt)
  return left > 0 && left < whole ? left + waitedMs : whole
}

async function pause(
  { machine, out, signal, values, config }: Context,
  { endsMs, waitedMs, amount }: { endsMs: number; waitedMs: number; amount: string },
): Promise<void> {
  const isSaving = values['data-saver'] === true || config.dataSaver === true
  const steadyMs = isSaving ? SAVING_PAUSE_MS : PAUSE_MS
  const untilMs = machine.nowMs() + (waitedMs < STEADY_MS ? steadyMs : LATE_PAUSE_MS)
  for (let nowMs = machine.nowMs(); nowMs < Math.min(untilMs, endsMs); nowMs = machine.nowMs()) {
    const left = clockText(endsMs - nowMs)
    out.progress(`Waiting for ${amount} · ${left} left (Ctrl-C stops waiting only)`, false)
    // Seconds are shown only on a terminal.
    const stepMs = out.mode.live ? TICK_MS : untilMs - nowMs
    await machine.sleep(Math.min(stepMs, untilMs - nowMs, endsMs - nowMs), signal)
  }
}

function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  return seconds >= 3_600
    ? `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
    : `${Math.floor(seconds / 60)}:${two(seconds % 60)}`
}
