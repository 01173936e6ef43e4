// What the headers of a request tell about who made it. None of it is proof: it decides how to answer, not whom to trust.
import type { RequestInfo } from '../route.ts'

/** Whether a browser makes this call, rather than a program: only browsers say where a call comes from. */
export const isBrowser = ({ headers }: RequestInfo): boolean =>
  headers['sec-fetch-site'] !== undefined || headers.origin !== undefined

/** Whether a person looks at the answer. */
export const wantsPage = ({ headers }: RequestInfo): boolean =>
  /\btext\/html\b/i.test(headers.accept?.toString() ?? '')

/** Browsers say when nobody has decided to go there yet. */
export function isPrefetch({ headers }: RequestInfo): boolean {
  const said = [headers.purpose, headers['sec-purpose'], headers['x-purpose'], headers['x-moz']]
  return said.some((value) => /prefetch|prerender|preview/i.test(value?.toString() ?? ''))
}
