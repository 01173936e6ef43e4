// Parses the Markdown of a draft into plain blocks. Only words and finding ids pass: URLs, images, HTML and invented
// citation numbers are removed. Words of the evidence stay unchanged.
import { HTML_TAG, stripMarkdown } from '../../kernel/plain-markdown.ts'

export type DraftBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly string[] }
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }

/** Text after this is ignored. */
const DRAFT_MAX = 60_000

/** Words of the evidence may be repeated, whatever characters they contain. */
export function parseDraft(markdown: string, evidence: DraftEvidence): DraftBlock[] {
  const shield = createShield(evidence)
  const lines = removeUnsafe(shield.on(markdown.slice(0, DRAFT_MAX)), evidence).split('\n')
  const blocks: OpenBlock[] = []
  let isOpen = false
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').replace(/^(?:\s{0,8}>)+\s?/, '')
    if (isBlank(line)) {
      isOpen = false
      continue
    }
    const table = parseTable(lines, at)
    if (table) {
      blocks.push(table.block)
      at = table.last
      isOpen = false
      continue
    }
    const last = blocks.at(-1)
    const block = parseLine(line)
    const isContinued = block.kind === 'paragraph' && isOpen
    if (isContinued && last?.kind === 'paragraph') last.text += ` ${block.text}`
    else if (isContinued && last?.kind === 'list') last.items.push(`${last.items.pop() ?? ''} ${block.text}`)
    else if (block.kind === 'list' && last?.kind === 'list' && last.isOrdered === block.isOrdered)
      last.items.push(...block.items)
    else blocks.push(block)
    isOpen = block.kind !== 'heading'
  }
  return blocks.map((block) => mapTexts(block, shield.off))
}

function mapTexts(block: OpenBlock, change: (text: string) => string): DraftBlock {
  if (block.kind === 'list') return { ...block, items: block.items.map(change) }
  if (block.kind === 'table')
    return { ...block, head: block.head.map(change), rows: block.rows.map((cells) => cells.map(change)) }
  return { ...block, text: change(block.text) }
}

/** A block that still accepts lines. */
type OpenBlock =
  | Exclude<DraftBlock, { kind: 'paragraph' | 'list' }>
  | { readonly kind: 'paragraph'; text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: string[] }

/** Empty lines, rules, heading underlines and code fences. */
const isBlank = (line: string): boolean =>
  /^(?:[-=*_]{3,}|(?:[-*_] ){2,}[-*_]|(?:```|~~~).*)?$/.test(line.trim())

function parseLine(line: string): OpenBlock {
  const heading = /^\s{0,3}(#{1,6})\s+(\S.*)$/.exec(line)
  if (heading) {
    const text = inline(heading[2] ?? '').replace(/\s#+$/, '')
    return { kind: 'heading', level: heading[1]?.length ?? 2, text }
  }
  const bold = /^\s{0,3}(?:\*\*|__)([^*_]{1,120})(?:\*\*|__):?\s*$/.exec(line)
  if (bold) return { kind: 'heading', level: 3, text: inline(bold[1] ?? '') }
  const item = /^\s{0,12}(?:([-*+•])|\d{1,3}[.)])\s+(\S.*)$/.exec(line)
  if (item)
    return { kind: 'list', isOrdered: item[1] === undefined, items: [inline(joinLabel(item[2] ?? ''))] }
  return { kind: 'paragraph', text: inline(joinLabel(line.trim())) }
}

/** A bold label before a sentence is part of it. */
const joinLabel = (text: string): string =>
  text.replace(
    /^(?:\*\*|__)([^*_]{1,60})(?:\*\*|__)[.:]?\s+(?=\S)/,
    (_, label: string) => `${label.replace(/[.:]$/, '')}: `,
  )

const ROWS_MAX = 100
const CELLS_MAX = 12

function parseTable(lines: readonly string[], at: number): { block: OpenBlock; last: number } | null {
  const isRow = (line: string | undefined) => line?.includes('|') === true
  const isRule = (line: string | undefined) =>
    isRow(line) && line?.includes('-') === true && /^[\s|:-]+$/.test(line)
  if (!isRow(lines[at]) || !isRule(lines[at + 1])) return null
  const after = lines.slice(at + 2, at + 2 + ROWS_MAX)
  const length = after.findIndex((line) => !isRow(line))
  const rows = length < 0 ? after : after.slice(0, length)
  const block = { kind: 'table', head: parseCells(lines[at] ?? ''), rows: rows.map(parseCells) } as const
  return { block, last: at + 1 + rows.length }
}

const parseCells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .slice(0, CELLS_MAX)
    .map((cell) => inline(cell.trim()))

const inline = (text: string): string => stripMarkdown(text).replace(/\s+/g, ' ').trim()

const PASSES_MAX = 4

/** Removes links and active content, repeatedly, until removal creates nothing new. */
function removeUnsafe(markdown: string, evidence: DraftEvidence): string {
  let text = markdown.replace(/\r\n?/g, '\n').replace(INVISIBLE, '')
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const next = withoutContacts(withoutHarm(text), evidence)
    if (next === text) break
    text = next
  }
  return text
}

// Control, invisible, direction and tag characters.
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/gu

const withoutHarm = (text: string): string => withoutAddresses(withoutMarkup(text))

const withoutMarkup = (text: string): string =>
  withoutComments(text)
    .replace(/^[ \t]{0,3}\[[^\]\n]{1,200}\]:.*$/gm, '')
    .replace(HTML_TAG, '')
    .replace(/<[/!?][^<>]*>/g, '')
    .replace(/!\[[^[\]]*\](?:\([^()]*\))?/g, '')
    .replace(/\[([^[\]]*)\]\([^()\n]*\)/g, '$1')
    .replace(/[【（(]\s?(\^?F\d{1,5}(?:\s?[,;&]\s?\^?F\d{1,5}){0,20})\s?[】）)]/gi, '[$1]')
    .replace(/\s?\[\^?\d{1,4}(?:\s?[,–-]\s?\d{1,4}){0,20}\]/g, '')

const withoutAddresses = (text: string): string =>
  text
    .replace(/[a-z0-9+.-]{0,20}:\/\/[^\s<>[\]]*|www\.[^\s<>[\]]*/gi, '')
    .replace(/\b(?:javascript|vbscript|data|mailto|tel|file|blob):[^\s<>[\]]+/gi, '')
    .replace(/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}/g, '')
    .replace(/\b(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}\/[^\s<>[\]]*/gi, '')

// `example.com`, but not `2007.It`, which lacks a space; and telephone numbers in international or grouped notation.
const DOMAIN = String.raw`(?<![\p{L}\p{N}_-])(?:[\p{L}\p{N}_-]{1,63}\.){1,8}(?:\p{Ll}{2,24}|\p{Lu}{2,24}|Com|Net|Org)(?![\p{L}=])`
const TELEPHONE = String.raw`\+\s?\d(?:[\s().\-]{0,3}\d){6,16}|(?<![\p{N}\-])\d{3,4}-\d{3}-\d{3,4}(?![\p{N}\-])`
const CONTACT = new RegExp(`${DOMAIN}|${TELEPHONE}`, 'gu')

/** Text that a draft may repeat. */
export type DraftEvidence = {
  readonly text: string
  /** Its domains and telephone numbers, in lower case. */
  readonly contacts: ReadonlySet<string>
  /** Its words with characters that Markdown or HTML would interpret. */
  readonly literals: ReadonlySet<string>
}

export const collectEvidence = (text: string): DraftEvidence => ({
  text,
  contacts: new Set(Array.from(text.matchAll(CONTACT), ([contact]) => contact.toLowerCase())),
  literals: new Set(
    Array.from(text.matchAll(/\S+/g), ([word]) => [word, word.replace(EDGE_PUNCTUATION, '')])
      .flat()
      .filter(isLiteral),
  ),
})

/** Punctuation around a word. */
const EDGE_PUNCTUATION = /^[("'“‘«[]+(?=.)|[.,;:!?)"'”’»…]+$/gu
const LITERAL_MAX = 200

/** Excludes footnote marks and URLs. */
const isLiteral = (word: string): boolean =>
  word.length <= LITERAL_MAX &&
  /[\p{L}\p{N}]/u.test(word) &&
  /[*_`~\\<>|[\]#]/.test(word.replace(/\[[1-9]\d{0,3}\]/g, '')) &&
  !/\[\^?F\d/i.test(word) &&
  withoutAddresses(word) === word

// Read texts contain no private use characters.
const PRIVATE = /[\ue000-\uf8ff]/g
const SHIELDED = /\ue000(\d+)\ue001/g
const CODE = /(?<![`\\])(`{1,3})(?!`)([^`\n]{1,200})(?<!`)\1(?!`)/g

/** Replaces literals by placeholders, and restores them. */
function createShield(evidence: DraftEvidence) {
  const kept: string[] = []
  const keep = (text: string) => `\ue000${kept.push(text) - 1}\ue001`
  const isKeptCode = (code: string) =>
    !/\[\^?F\d/i.test(code) && withoutContacts(withoutAddresses(code), evidence) === code
  return {
    on: (markdown: string): string =>
      markdown
        .replace(PRIVATE, '')
        .replace(/\S+/g, (run) => shieldWord(run, evidence.literals, keep))
        .replace(CODE, (span, _, code: string) => (isKeptCode(code) ? keep(code.trim()) : span)),
    off: (text: string): string => {
      // Code may contain placeholders that were set before.
      const once = text.replace(SHIELDED, (_, at: string) => kept[Number(at)] ?? '')
      return once.replace(SHIELDED, (_, at: string) => kept[Number(at)] ?? '')
    },
  }
}

const EDGE_MAX = 8

/** Shields a word of the evidence inside a run of characters with marks and punctuation around it. */
function shieldWord(run: string, literals: ReadonlySet<string>, keep: (word: string) => string): string {
  const cited = run.search(/\[\^?F\d/i)
  const length = cited === -1 ? run.length : cited
  for (let from = 0; from < Math.min(length, EDGE_MAX); from++) {
    if (from > 0 && /[\p{L}\p{N}]/u.test(run[from - 1] ?? '')) break
    for (let to = length; to > Math.max(from, length - EDGE_MAX); to--) {
      if (to < length && /[\p{L}\p{N}]/u.test(run[to] ?? '')) break
      const word = run.slice(from, to)
      if (literals.has(word)) return run.slice(0, from) + keep(word) + run.slice(to)
    }
  }
  return run
}

const withoutContacts = (text: string, evidence: DraftEvidence): string =>
  text.replace(CONTACT, (contact) => (isInEvidence(contact, evidence) ? contact : ''))

/** In the evidence, other digits such as opening hours may follow a telephone number. */
function isInEvidence(contact: string, { text, contacts }: DraftEvidence): boolean {
  if (contacts.has(contact.toLowerCase())) return true
  if (!/^[\d+]/.test(contact)) return false
  const at = text.indexOf(contact)
  return at !== -1 && !/\d/.test(text[at - 1] ?? '') && !/\d/.test(text[at + contact.length] ?? '')
}

function withoutComments(text: string): string {
  const [first = '', ...rest] = text.split('<!--')
  return (
    first + rest.map((piece) => (piece.includes('-->') ? piece.slice(piece.indexOf('-->') + 3) : '')).join('')
  )
}
