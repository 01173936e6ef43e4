// The API client of the app: the SDK on this origin, with the session cookie.
import { CowrieError, createCustomerClient } from '@cowrie/sdk'
import { isSaving } from './preferences/data-saver.ts'

const TIMEOUT_MS = 30_000
/** The service sends a heartbeat every 15 s. Three missing heartbeats mean a lost connection. */
const SILENCE_MS = 45_000

export const CLIENT_OPTIONS = {
  baseUrl: '',
  timeoutMs: TIMEOUT_MS,
  streamSilenceMs: SILENCE_MS,
  retries: 1,
  fetch: send,
} as const

export const api = createCustomerClient(CLIENT_OPTIONS)

let sessionRejected: () => void = () => undefined

/** Calls back when the service no longer accepts the session. */
export function onSessionRejected(listener: () => void): void {
  sessionRejected = listener
}

let isPageStale: () => boolean = () => false

/** Registers the check that runs before every write: whether the page shows another organisation than the session. */
export function checkBeforeWrites(isStale: () => boolean): void {
  isPageStale = isStale
}

export async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  if (init?.method !== 'GET' && !String(input).endsWith('/auth/logout') && isPageStale())
    throw new CowrieError({
      status: 403,
      code: 'elsewhere',
      message: 'This page shows another organisation.',
    })
  if (init?.headers instanceof Headers) {
    // The service writes its sentences in the language of the app, not of the browser.
    init.headers.set('accept-language', document.documentElement.lang || 'en')
    if (isSaving.value) init.headers.set('save-data', 'on')
  }
  const response = await fetch(input, init)
  // Read the copy first: reading the original closes the connection for both.
  if (response.status === 401) await reportRejectedSession(response.clone())
  return response
}

/** Other 401 errors, such as a wrong code, do not end the session. */
async function reportRejectedSession(response: Response): Promise<void> {
  const text = await response.text().catch(() => '')
  if (/"code":\s*"unauthenticated"/.test(text)) sessionRejected()
}
