// What providers say about a page, as plain text: strangers wrote it, with marks, entities and characters that nobody sees.

const TITLE_MAX = 300
const SNIPPET_MAX = 1_000
const URL_MAX = 2_000
/** Marks and entities make a text longer than it reads; beyond this nothing is looked at. */
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

/** The address of a page on the web, or null for anything else. One that is too long is no address when it is cut. */
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
    // Format characters hide text from readers or turn it round.
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

/** Not in the middle of a character. */
function truncate(text: string, most: number): string {
  const cut = text.slice(0, most - 1)
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`
}
