// Formats sources and citations for all report formats.
import { isRightToLeft } from '../../platform/texts/codes-in-text.ts'
import type { Language } from '../../platform/texts/language.ts'
import { type Writer, writerIn } from '../../platform/texts/texts.ts'
import type { ReportSource } from '../types.ts'

/** A source as all formats show it. */
export type ListedSource = {
  readonly n: number
  readonly link: string | null
  readonly title: string
  readonly site: string
  /** Begins with its separator. Empty if there is nothing to note. */
  readonly note: string
}

export function listSource(language: Language, source: ReportSource, note: string): ListedSource {
  const site = hostOf(writerIn(language), source.url)
  return { n: source.n, link: linkOf(source.url), title: titleOf(source, site), site, note }
}

/** A name of a source keeps its direction in a line of the other direction. */
export const isolated = (text: string, direction: 'ltr' | 'rtl'): string =>
  direction === 'rtl' || isRightToLeft(text) ? `\u2068${text}\u2069` : text

const SEPARATORS: Readonly<Record<',' | ';', Partial<Record<Language, string>>>> = {
  ',': { ar: '،' },
  ';': { fr: ' ;', ar: '؛' },
}

export const separated = (language: Language, sign: ',' | ';', note: string): string =>
  `${SEPARATORS[sign][language] ?? sign} ${note}`

const TITLE_MAX = 200
// Control and direction characters do not belong in a title.
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

/**
 * The normalized URL of a web page. Null for other schemes, and for URLs with credentials, which can imitate another
 * site.
 */
function linkOf(url: string): string | null {
  const parsed = parseWebUrl(url)
  return parsed && !hasUser(parsed) ? parsed.href : null
}

/**
 * The host name. URLs with credentials are shown in full, so that readers do not mistake the user name for the host.
 */
function hostOf(t: Writer, url: string): string {
  const parsed = parseWebUrl(url)
  if (!parsed) return ownSourceOf(t, url) ?? t('unknown site')
  return hasUser(parsed) ? parsed.href : parsed.hostname.replace(/^www\./, '')
}

/** Documents and repositories of the customer have URLs without a site. */
function ownSourceOf(t: Writer, url: string): string | null {
  if (url.startsWith('document:')) return t('your document')
  const [, repo] = /^repository:([^/]+)\//.exec(url) ?? []
  return repo === undefined ? null : t('repository {name}', { name: decodeURIComponent(repo) })
}

function parseWebUrl(url: string): URL | null {
  const parsed = URL.parse(url)
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed : null
}

const hasUser = ({ username, password }: URL): boolean => username !== '' || password !== ''

function titleOf({ title }: ReportSource, site: string): string {
  const clean = title.replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim()
  const letters = Array.from(clean === '' ? site : clean)
  return letters.length > TITLE_MAX ? `${letters.slice(0, TITLE_MAX - 1).join('')}…` : letters.join('')
}

/** Splits a sentence before its end mark, where citations go. */
export function splitEndMark(text: string): { readonly body: string; readonly end: string } {
  const end = /[.!?؟。…]{1,4}$/.exec(text)?.[0] ?? ''
  return { body: text.slice(0, text.length - end.length), end }
}
