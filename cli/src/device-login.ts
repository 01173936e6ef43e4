// Waiting for a person to approve this program in a browser.
import {
  type AuthDeviceStartReply,
  type AuthDeviceTokenReply,
  type Client,
  CowrieError,
  outcomeOf,
} from '@cowrie/sdk'
import type { Machine } from './machine.ts'

const POLL_TIMEOUT_MS = 15_000
const SLOWER_SECONDS = 5
/** However long the service says a request lives: nobody waits for longer than this. */
const LIFE_MAX_SECONDS = 1_800

type Waiting = {
  machine: Machine
  signal: AbortSignal | undefined
  /** Told once, when the service is not reached for the first time. */
  onTrouble: (error: CowrieError) => void
}

/**
 * Polls until the person has decided or the request has expired. A service that cannot be reached for a while is waited
 * for: the person may be deciding on another network.
 */
export async function collectKey(
  client: Client,
  started: AuthDeviceStartReply,
  { machine, signal, onTrouble }: Waiting,
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
  throw trouble ?? new CowrieError({ status: 400, code: 'expired', message: 'Nobody approved this in time.' })
}

const isTrouble = ({ status }: CowrieError): boolean => status === 0 || status >= 500

const intervalIn = ({ detail: { interval } }: CowrieError): number =>
  typeof interval === 'number' && interval <= LIFE_MAX_SECONDS ? interval : 0

/** The answer with the key is sent once. When it was lost on its way, a key exists that nobody has. */
const lostOrExpired = ({ status, code, requestId }: CowrieError): CowrieError =>
  new CowrieError({
    status,
    code,
    requestId,
    message:
      'The request has expired, or its key was lost when the connection broke: sign in again, and revoke keys of this computer that were never used.',
  })
