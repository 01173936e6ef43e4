// What opening a mailed link does. Mail scanners and browsers that look ahead open links as well, so only who asked for
// one uses it up by that; everybody else is shown a page with a button.
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

type ConfirmationPage = 'magic' | 'verify'

/** Who asks for a link. They get the cookie by which they are known again when they open it, programs too. */
export function identifyRequester(
  app: App,
  request: RequestInfo,
): LinkRequester & { browser: Buffer; network: string } {
  const device = identifyDevice(app.config, request)
  if (device.cookie) request.setCookie(device.cookie)
  return { browser: device.hash, network: bucketAddress(request.address), byBrowser: isBrowser(request) }
}

/**
 * Whether opening the link is enough. It is for who shows the cookie of the one who asked, and, as few programs keep
 * cookies, for a program in the network of the program that asked: whoever reads the mails of a stranger is elsewhere.
 */
export function mayOpen(request: RequestInfo, { browser, network, byBrowser }: MailedLink): boolean {
  if (isPrefetch(request)) return false
  const device = readDeviceCookie(request)
  if (device && browser && timingSafeEqual(device, browser)) return true
  const isProgram = !isBrowser(request) && !wantsPage(request)
  return isProgram && !byBrowser && network === bucketAddress(request.address)
}

/** Nothing is used up; the token goes on in the fragment, which no server sees. Only for tokens that were found. */
export const requireConfirmation = (
  request: RequestInfo,
  token: string,
  kind: ConfirmationPage,
): Answer | { ok: false; confirm: true } =>
  wantsPage(request)
    ? redirect(`/app/sign-in/link#token=${encodeURIComponent(token)}&kind=${kind}`)
    : { ok: false, confirm: true }

/** People are told on a page what programs are told by a refusal. */
export async function orProblemPage<T>(request: RequestInfo, work: () => Promise<T>): Promise<T | Answer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && wantsPage(request))
      return redirect(`/app/sign-in/link#problem=${error.code}`)
    throw error
  }
}
