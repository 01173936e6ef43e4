// How a source and a citation look in every form of the report.
import type { ReportSource } from '../types.ts'

const TITLE_MAX = 200
// Controls and characters that turn the direction of writing have no business in a title.
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/**
 * The address when it is one of the web, in the one spelling that needs no quoting; null for anything else, and for one that
 * begins with the name of a user, which may be that of somebody else's site.
 */
export function linkOf(url: string): string | null {
  const parsed = parseWebUrl(url)
  return parsed && !hasUser(parsed) ? parsed.href : null
}

/** The site as readers know it; of an address with a user all is shown, so that nobody takes its beginning for the site. */
export function hostOf(url: string): string {
  const parsed = parseWebUrl(url)
  if (!parsed) return 'unknown site'
  return hasUser(parsed) ? parsed.href : parsed.hostname.replace(/^www\./, '')
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

/** A sentence parted where its citations go: before the mark that ends it. */
export function splitEndMark(text: string): { readonly body: string; readonly end: string } {
  const end = /[.!?؟。…]{1,4}$/.exec(text)?.[0] ?? ''
  return { body: text.slice(0, text.length - end.length), end }
}
