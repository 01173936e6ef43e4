// What opening a mailed link does. Mail scanners and browsers that look ahead open links as well, so only who asked for
// one uses it up by that; everybody else is shown a page with a button.
import { timingSafeEqual } from 'node:crypto'
import { knownDevice, type Link } from '../identity/identity.ts'
import { ApiError } from '../kernel/errors.ts'
import { type Answer, redirect } from '../platform/http/answer.ts'
import { isPrefetch, wantsPage } from '../platform/http/browser.ts'
import type { RequestInfo } from '../platform/http/route.ts'

type Page = 'magic' | 'verify'

/** Whether opening the link is enough: it is the browser that asked, or a program where a program did. */
export function mayOpen(request: RequestInfo, { browser }: Link): boolean {
  if (isPrefetch(request)) return false
  if (browser === null) return !wantsPage(request)
  const device = knownDevice(request)
  return device !== null && timingSafeEqual(device, browser)
}

/** Nothing is used up; the token goes on in the fragment, which no server sees. Only for tokens that were found. */
export const askToConfirm = (
  request: RequestInfo,
  token: string,
  kind: Page,
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
