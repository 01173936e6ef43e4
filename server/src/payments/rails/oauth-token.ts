// The token that a provider lends us for an hour: kept until shortly before it ends, and borrowed once however many
// payments wait for it.
import { z } from 'zod'
import { type Line, type LineAnswer, NoAnswer } from './http-client.ts'

export type Lent = { readonly token: string; readonly seconds: number }

/** Calls with a token in hand. Throws `NoAccess` when there is none to be had. */
export type WithToken = (line: Line, call: (token: string) => Promise<LineAnswer>) => Promise<LineAnswer>

/** The provider lent us nothing. `refused` when it does not accept our keys, and not when it is out of order. */
export class NoAccess extends Error {
  readonly refused: boolean
  constructor(refused: boolean, reason: string) {
    super(reason)
    this.name = 'NoAccess'
    this.refused = refused
  }
}

// So that a token does not end on its way.
const EARLY_SECONDS = 60

export function lentToken(
  borrow: (line: Line) => Promise<Lent>,
  isRefused: (answer: LineAnswer) => boolean,
): WithToken {
  let kept: { token: string; untilMs: number } | null = null
  let borrowing: Promise<string> | null = null

  async function renew(line: Line): Promise<string> {
    const { token, seconds } = await borrow(line)
    kept = { token, untilMs: line.clock.now().getTime() + (seconds - EARLY_SECONDS) * 1000 }
    return token
  }

  async function current(line: Line): Promise<string> {
    if (kept && line.clock.now().getTime() < kept.untilMs) return kept.token
    borrowing ??= renew(line).finally(() => {
      borrowing = null
    })
    return borrowing
  }

  return async (line, call) => {
    const token = await current(line)
    const answer = await call(token)
    if (!isRefused(answer)) return answer
    // Who refuses the token did nothing else with the call, so that it is safe to repeat, once.
    if (kept?.token === token) kept = null
    return call(await current(line))
  }
}

/** What the provider's answer to our keys lends us. */
export function lentBy({ status, json }: LineAnswer): Lent {
  const lending = Lending.safeParse(json)
  if (status === 200 && lending.success)
    return { token: lending.data.access_token, seconds: lending.data.expires_in }
  throw new NoAccess(KEYS_REFUSED.has(status), `no access token, but status ${status}`)
}

/** Why nothing came of a call, where that is the provider's doing or the network's. Everything else is a bug. */
export function silenceOf(error: unknown): string {
  if (error instanceof NoAnswer || error instanceof NoAccess) return error.message
  throw error
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

const KEYS_REFUSED = new Set([400, 401, 403])

// The token becomes part of a header. A time that nobody can read is none: the token then serves this one call.
const Lending = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  expires_in: z.coerce.number().min(0).max(86_400).catch(0),
})
