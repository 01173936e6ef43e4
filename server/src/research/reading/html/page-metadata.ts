// Reads the metadata of a page: title, language, publication date, and whether it is free to read.
import { toCleanLine } from '../clean-text.ts'
import type { DomDocument } from './dom.ts'
import type { PrunedPage } from './prune.ts'

export type PageMetadata = {
  readonly title: string
  readonly language: string | null
  readonly publishedOn: string | null
  readonly isForSubscribers: boolean
}

const OBJECTS_MAX = 200

export function readMetadata(document: DomDocument, { language, statements }: PrunedPage): PageMetadata {
  const meta = readMetaTags(document)
  const stated = statements.flatMap(parseJsonLd)
  const heading = document.querySelector('h1')?.textContent ?? ''
  const titles = [meta.get('og:title'), document.querySelector('title')?.textContent, heading]
  return {
    title: titles.map((each) => toCleanLine(each ?? '')).find((each) => each !== '') ?? '',
    language: language || meta.get('og:locale') || findString(stated, 'inLanguage'),
    publishedOn: readPublicationDate(document, meta, stated),
    isForSubscribers: stated.some(({ isAccessibleForFree }) => /^false$/i.test(String(isAccessibleForFree))),
  }
}

function readPublicationDate(
  document: DomDocument,
  meta: ReadonlyMap<string, string>,
  stated: readonly JsonLdObject[],
): string | null {
  const times = [...document.querySelectorAll('time[datetime]')]
  const ownTime = times.find((time) => time.getAttribute?.('itemprop') === 'datePublished') ?? times[0]
  const dates = [
    ...DATE_NAMES.slice(0, 2).map((name) => meta.get(name)),
    findString(stated, 'datePublished'),
    ...DATE_NAMES.slice(2).map((name) => meta.get(name)),
    ownTime?.getAttribute?.('datetime'),
  ]
  return dates.map((each) => parseDay(each ?? '')).find((day) => day !== null) ?? null
}

const DATE_NAMES = [
  ...[
    'article:published_time',
    'datepublished',
    'og:published_time',
    'citation_publication_date',
    'citation_date',
  ],
  ...['dc.date.issued', 'dc.date', 'dcterms.date', 'dcterms.issued', 'parsely-pub-date', 'sailthru.date'],
  ...['publish-date', 'publication_date', 'pubdate', 'date'],
]

/** The date as written, in its own time zone. */
export function parseDay(text: string): string | null {
  const [, year = '', month = '', day = ''] =
    /^\s*(\d{4})([-/.]?)(\d{2})\2(\d{2})(?!\d)/.exec(text)?.toSpliced(2, 1) ?? []
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
  const isDay = !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day)
  return isDay && year >= '1500' && year < '2200' ? `${year}-${month}-${day}` : null
}

function readMetaTags(document: DomDocument): ReadonlyMap<string, string> {
  const meta = new Map<string, string>()
  for (const each of document.querySelectorAll('meta[content]')) {
    const name = ['property', 'name', 'itemprop'].map((key) => each.getAttribute?.(key)).find(Boolean)
    const content = each.getAttribute?.('content')?.trim()
    if (name && content && !meta.has(name.toLowerCase())) meta.set(name.toLowerCase(), content)
  }
  return meta
}

type JsonLdObject = Readonly<Record<string, unknown>>

/** The objects of a JSON-LD block at any depth, up to a limit. Invalid JSON gives none. */
function parseJsonLd(statement: string): JsonLdObject[] {
  const found: JsonLdObject[] = []
  const waiting: unknown[] = [parseJson(statement)]
  while (waiting.length > 0 && found.length < OBJECTS_MAX) {
    const next = waiting.shift()
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next)) found.push({ ...next })
    waiting.push(...Object.values(next).slice(0, OBJECTS_MAX))
  }
  return found
}

function parseJson(statement: string): unknown {
  try {
    return JSON.parse(statement)
  } catch {
    return null
  }
}

function findString(stated: readonly JsonLdObject[], key: string): string | null {
  const values = stated.map((each) => each[key])
  return values.find((value): value is string => typeof value === 'string') ?? null
}
