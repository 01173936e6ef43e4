// Converts provider texts to plain text: they contain markup, entities and invisible characters.

const TITLE_MAX = 300
const SNIPPET_MAX = 1_000
const URL_MAX = 2_000
/** Markup and entities make the raw text longer. Text after this is ignored. */
const RAW_FACTOR = 4

const TAG = /<[/!]?[a-z][^<>]*>/gi
const HIGHLIGHT = /^<\/?(?:a|b|code|em|font|i|mark|span|strong|sub|sup|u)\b/i
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}\d{0,2}));/gi
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  bull: '•',
  copy: '©',
  deg: '°',
  euro: '€',
  gt: '>',
  hellip: '…',
  laquo: '«',
  ldquo: '“',
  lsquo: '‘',
  lt: '<',
  mdash: '—',
  middot: '·',
  nbsp: ' ',
  ndash: '–',
  pound: '£',
  quot: '"',
  raquo: '»',
  rdquo: '”',
  reg: '®',
  rsquo: '’',
  times: '×',
  trade: '™',
}

export const toTitle = (raw: string): string => toPlainText(raw, TITLE_MAX)
export const toSnippet = (raw: string): string => toPlainText(raw, SNIPPET_MAX)

/** The URL of a web page, or null. A URL that is too long is not cut, because it would be another URL. */
export function toWebUrl(raw: string): string | null {
  const url = raw.length <= URL_MAX ? URL.parse(raw) : null
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return null
  return url.href.length <= URL_MAX ? url.href : null
}

function toPlainText(raw: string, most: number): string {
  const text = raw
    .slice(0, most * RAW_FACTOR)
    .replace(TAG, (tag) => (HIGHLIGHT.test(tag) ? '' : ' '))
    .replace(ENTITY, decodeEntity)
    .toWellFormed()
    .normalize('NFC')
    // Format characters hide or reorder text.
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return text.length <= most ? text : truncate(text, most)
}

function decodeEntity(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity
  const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return point <= 0x10ffff ? String.fromCodePoint(point) : '\uFFFD'
}

/** Not inside a surrogate pair. */
function truncate(text: string, most: number): string {
  const cut = text.slice(0, most - 1)
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`
}
