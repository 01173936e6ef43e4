// Opens mailed links. Mail scanners and prefetching browsers open links too, so only the browser or program
// that requested a link consumes it. Others see a page with a button.
import { timingSafeEqual } from 'node:crypto'
import {
  identifyDevice,
  type LinkRequester,
  type MailedLink,
  readDeviceCookie,
} from '../../identity/identity.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import { bucketAddress } from '../../platform/http/access/client-address.ts'
import { type Answer, redirect } from '../../platform/http/answer.ts'
import { isBrowser, isPrefetch, wantsPage } from '../../platform/http/request/request-info.ts'
import type { RequestInfo } from '../../platform/http/route.ts'

/** Identifies the requester of a link and sets its device cookie. */
export function identifyRequester(
  app: App,
  request: RequestInfo,
): LinkRequester & { browser: Buffer; network: string } {
  const device = identifyDevice(app.config, request)
  if (device.cookie) request.setCookie(device.cookie)
  return { browser: device.hash, network: bucketAddress(request.address), byBrowser: isBrowser(request) }
}

/**
 * Whether opening the link consumes it: with the device cookie of the requester, or, because few programs
 * keep cookies, as a program in the network of the requesting program.
 */
export function mayOpen(request: RequestInfo, { browser, network, byBrowser }: MailedLink): boolean {
  if (isPrefetch(request)) return false
  if (isRequestingBrowser(request, { browser })) return true
  const isProgram = !isBrowser(request) && !wantsPage(request)
  return isProgram && !byBrowser && network === bucketAddress(request.address)
}

/** Whether the request has the device cookie of the requester. */
export function isRequestingBrowser(request: RequestInfo, { browser }: Pick<MailedLink, 'browser'>): boolean {
  const device = readDeviceCookie(request)
  return device !== null && browser !== null && timingSafeEqual(device, browser)
}

/**
 * Asks for a confirmation without consuming the token, which stays in the fragment where no server sees it.
 * Only for valid tokens.
 */
export const requireConfirmation = (
  request: RequestInfo,
  token: string,
): Answer | { ok: false; confirm: true } =>
  wantsPage(request)
    ? redirect(`/app/sign-in/link#token=${encodeURIComponent(token)}&kind=magic`)
    : { ok: false, confirm: true }

/** Redirects browsers to a page that explains the error; programs get the error itself. */
export async function orProblemPage<T>(request: RequestInfo, work: () => Promise<T>): Promise<T | Answer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && wantsPage(request))
      return redirect(`/app/sign-in/link#problem=${error.code}`)
    throw error
  }
}
