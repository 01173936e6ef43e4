// The one way to the service: its own SDK, on this origin, with the session's cookie, exact money and refusals by name.
import { type Client, CowrieError, createClient } from '@cowrie/sdk'
import { isSaving } from './preferences/data-saver.ts'

const TIMEOUT_MS = 30_000
/** The service says something at least every 15 s: who misses that three times has lost it. */
const SILENCE_MS = 45_000

export const api: Client = createClient({
  baseUrl: '',
  timeoutMs: TIMEOUT_MS,
  streamSilenceMs: SILENCE_MS,
  retries: 1,
  fetch: send,
})

let strangerMet: () => void = () => undefined

/** Calls back whenever the service does not know us (any more). */
export function onStranger(listener: () => void): void {
  strangerMet = listener
}

let isElsewhere: () => boolean = () => false

/** Asked before anything is changed: whether this page still shows the organisation that the session is in. */
export function watchWrites(isStale: () => boolean): void {
  isElsewhere = isStale
}

async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  if (init?.method !== 'GET' && !String(input).endsWith('/auth/logout') && isElsewhere())
    throw new CowrieError({
      status: 403,
      code: 'elsewhere',
      message: 'This page shows another organisation.',
    })
  if (isSaving.value && init?.headers instanceof Headers) init.headers.set('save-data', 'on')
  const response = await fetch(input, init)
  // Read before the answer is handed on: whoever has read it closes the connection, for the copy as well.
  if (response.status === 401) await meetStranger(response.clone())
  return response
}

/** Other refusals of the same status, such as a wrong code, say nothing about the session. */
async function meetStranger(response: Response): Promise<void> {
  const text = await response.text().catch(() => '')
  if (/"code":\s*"unauthenticated"/.test(text)) strangerMet()
}
