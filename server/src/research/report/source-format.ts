// Formats sources and citations for all report formats.
import type { ReportSource } from '../types.ts'

const TITLE_MAX = 200
// Control and direction characters do not belong in a title.
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/**
 * The normalized URL of a web page. Null for other schemes, and for URLs with credentials, which can imitate another
 * site.
 */
export function linkOf(url: string): string | null {
  const parsed = parseWebUrl(url)
  return parsed && !hasUser(parsed) ? parsed.href : null
}

/**
 * The host name. URLs with credentials are shown in full, so that readers do not mistake the user name for the host.
 */
export function hostOf(url: string): string {
  const parsed = parseWebUrl(url)
  if (!parsed) return ownSourceOf(url) ?? 'unknown site'
  return hasUser(parsed) ? parsed.href : parsed.hostname.replace(/^www\./, '')
}

/** Documents and repositories of the customer have URLs without a site. */
function ownSourceOf(url: string): string | null {
  if (url.startsWith('document:')) return 'your document'
  const [, repo] = /^repository:([^/]+)\//.exec(url) ?? []
  return repo === undefined ? null : `repository ${decodeURIComponent(repo)}`
}

function parseWebUrl(url: string): URL | null {
  const parsed = URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed : null
}

const hasUser = ({ username, password }: URL): boolean => username !== '' || password !== ''

export function titleOf({ title, url }: ReportSource): string {
  const clean = title.replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim()
  const letters = Array.from(clean === '' ? hostOf(url) : clean)
  return letters.length > TITLE_MAX ? `${letters.slice(0, TITLE_MAX - 1).join('')}…` : letters.join('')
}

export const formatReadDate = ({ fetchedAt }: ReportSource): string =>
  fetchedAt ? `read on ${fetchedAt.toISOString().slice(0, 10)}` : 'read'

/** Splits a sentence before its end mark, where citations go. */
export function splitEndMark(text: string): { readonly body: string; readonly end: string } {
  const end = /[.!?؟。…]{1,4}$/.exec(text)?.[0] ?? ''
  return { body: text.slice(0, text.length - end.length), end }
}
