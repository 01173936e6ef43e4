// Waits until a person approves this program in a browser.
import {
  type AuthDeviceStartReply,
  type AuthDeviceTokenReply,
  type Client,
  CowrieError,
  outcomeOf,
} from '@cowrie/sdk'
import type { Machine } from '../system/machine.ts'

const POLL_TIMEOUT_MS = 15_000
const SLOWER_SECONDS = 5
/** The longest wait, whatever lifetime the service returns. */
const LIFE_MAX_SECONDS = 1_800

type PollOptions = {
  machine: Machine
  signal: AbortSignal | undefined
  /** Called once, when the service becomes unreachable for the first time. */
  onTrouble: (error: CowrieError) => void
}

/**
 * Polls until the person decides or the request expires. Network failures are retried: the person may approve from
 * another network.
 */
export async function collectKey(
  client: Client,
  started: AuthDeviceStartReply,
  { machine, signal, onTrouble }: PollOptions,
): Promise<AuthDeviceTokenReply> {
  const endsAtMs = machine.nowMs() + Math.min(started.expiresIn, LIFE_MAX_SECONDS) * 1000
  let seconds = Math.max(1, started.interval)
  let pauseSeconds = seconds
  let trouble: CowrieError | null = null
  while (machine.nowMs() + pauseSeconds * 1000 <= endsAtMs) {
    await machine.sleep(pauseSeconds * 1000, signal)
    try {
      return await client.auth.device.token(
        { deviceCode: started.deviceCode },
        { signal, timeoutMs: POLL_TIMEOUT_MS },
      )
    } catch (error) {
      if (!(error instanceof CowrieError)) throw error
      if (error.code === 'expired' && trouble) throw lostOrExpired(error)
      if (outcomeOf(error) === 'decided') throw error
      if (isTrouble(error)) {
        if (!trouble) onTrouble(error)
        trouble = error
      }
      if (error.code === 'slow_down') seconds = Math.max(seconds + SLOWER_SECONDS, intervalIn(error))
      pauseSeconds = Math.max(seconds, error.retryAfter ?? 0)
    }
  }
  throw (
    trouble ??
    new CowrieError({ status: 400, code: 'expired', message: 'The request was not approved in time.' })
  )
}

const isTrouble = ({ status }: CowrieError): boolean => status === 0 || status >= 500

const intervalIn = ({ detail: { interval } }: CowrieError): number =>
  typeof interval === 'number' && interval <= LIFE_MAX_SECONDS ? interval : 0

/** The reply with the key is sent once. If that reply is lost, the key exists and cannot be used. */
const lostOrExpired = ({ status, code, requestId }: CowrieError): CowrieError =>
  new CowrieError({
    status,
    code,
    requestId,
    message:
      'The request expired, or the connection broke while the key was sent. Sign in again, then revoke unused keys of this computer.',
  })
