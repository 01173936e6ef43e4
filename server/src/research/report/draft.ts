// The writer's markdown, taken apart into plain blocks. Only words and the ids of findings get through: addresses, images,
// HTML and numbers in brackets that the writer made up do not.

export type DraftBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly string[] }
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }

/** What lies behind is not read. */
const DRAFT_MAX = 60_000

/** `contacts`: those that may be named, as `contactsIn` finds them. */
export function draftOf(markdown: string, contacts: ReadonlySet<string>): DraftBlock[] {
  const lines = harmless(markdown.slice(0, DRAFT_MAX), contacts).split('\n')
  const blocks: Open[] = []
  let isOpen = false
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').replace(/^(?:\s{0,8}>)+\s?/, '')
    if (isBlank(line)) {
      isOpen = false
      continue
    }
    const table = tableAt(lines, at)
    if (table) {
      blocks.push(table.block)
      at = table.last
      isOpen = false
      continue
    }
    const last = blocks.at(-1)
    const block = blockOf(line)
    const isContinued = block.kind === 'paragraph' && isOpen
    if (isContinued && last?.kind === 'paragraph') last.text += ` ${block.text}`
    else if (isContinued && last?.kind === 'list') last.items.push(`${last.items.pop() ?? ''} ${block.text}`)
    else if (block.kind === 'list' && last?.kind === 'list' && last.isOrdered === block.isOrdered)
      last.items.push(...block.items)
    else blocks.push(block)
    isOpen = block.kind !== 'heading'
  }
  return blocks
}

/** While lines are added to it. */
type Open =
  | Exclude<DraftBlock, { kind: 'paragraph' | 'list' }>
  | { readonly kind: 'paragraph'; text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: string[] }

/** Empty lines, rules, underlines of headings and the fences of code. */
const isBlank = (line: string): boolean =>
  /^(?:[-=*_]{3,}|(?:[-*_] ){2,}[-*_]|(?:```|~~~).*)?$/.test(line.trim())

function blockOf(line: string): Open {
  const heading = /^\s{0,3}(#{1,6})\s+(\S.*)$/.exec(line)
  if (heading) {
    const text = inline(heading[2] ?? '').replace(/\s#+$/, '')
    return { kind: 'heading', level: heading[1]?.length ?? 2, text }
  }
  const bold = /^\s{0,3}(?:\*\*|__)([^*_]{1,120})(?:\*\*|__):?\s*$/.exec(line)
  if (bold) return { kind: 'heading', level: 3, text: inline(bold[1] ?? '') }
  const item = /^\s{0,12}(?:([-*+•])|\d{1,3}[.)])\s+(\S.*)$/.exec(line)
  if (item)
    return { kind: 'list', isOrdered: item[1] === undefined, items: [inline(labelled(item[2] ?? ''))] }
  return { kind: 'paragraph', text: inline(labelled(line.trim())) }
}

/** A bold word or two before a sentence are a part of it. */
const labelled = (text: string): string =>
  text.replace(
    /^(?:\*\*|__)([^*_]{1,60})(?:\*\*|__)[.:]?\s+(?=\S)/,
    (_, label: string) => `${label.replace(/[.:]$/, '')}: `,
  )

const ROWS_MAX = 100
const CELLS_MAX = 12

function tableAt(lines: readonly string[], at: number): { block: Open; last: number } | null {
  const isRow = (line: string | undefined) => line?.includes('|') === true
  const isRule = (line: string | undefined) =>
    isRow(line) && line?.includes('-') === true && /^[\s|:-]+$/.test(line)
  if (!isRow(lines[at]) || !isRule(lines[at + 1])) return null
  const after = lines.slice(at + 2, at + 2 + ROWS_MAX)
  const length = after.findIndex((line) => !isRow(line))
  const rows = length < 0 ? after : after.slice(0, length)
  const block = { kind: 'table', head: cellsOf(lines[at] ?? ''), rows: rows.map(cellsOf) } as const
  return { block, last: at + 1 + rows.length }
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .slice(0, CELLS_MAX)
    .map((cell) => inline(cell.trim()))

/** Without the marks of emphasis and code. Underscores inside of words are letters. */
const inline = (text: string): string =>
  text
    .replace(/[`*]+|~~/g, '')
    .replace(/(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

const PASSES_MAX = 4

/** Takes out what could lead or load elsewhere, until nothing is left that taking out has put together. */
function harmless(markdown: string, contacts: ReadonlySet<string>): string {
  let text = markdown.replace(/\r\n?/g, '\n').replace(UNSEEN, '')
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const next = withoutContacts(withoutHarm(text), contacts)
    if (next === text) break
    text = next
  }
  return text
}

// Controls, invisible characters, those that turn the direction of writing, and those that repeat ASCII unseen.
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/gu

const withoutHarm = (text: string): string =>
  withoutComments(text)
    .replace(/^[ \t]{0,3}\[[^\]\n]{1,200}\]:.*$/gm, '')
    .replace(/<[a-zA-Z/!?][^<>]*>/g, '')
    .replace(/!\[[^[\]]*\](?:\([^()]*\))?/g, '')
    .replace(/\[([^[\]]*)\]\([^()\n]*\)/g, '$1')
    .replace(/[【（(]\s?(\^?F\d{1,5}(?:\s?[,;&]\s?\^?F\d{1,5}){0,20})\s?[】）)]/gi, '[$1]')
    .replace(/\s?\[\^?\d{1,4}(?:\s?[,–-]\s?\d{1,4}){0,20}\]/g, '')
    .replace(/[a-z0-9+.-]{0,20}:\/\/[^\s<>[\]]*|www\.[^\s<>[\]]*/gi, '')
    .replace(/\b(?:javascript|vbscript|data|mailto|tel|file|blob):[^\s<>[\]]+/gi, '')
    .replace(/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}/g, '')
    .replace(/\b(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}\/[^\s<>[\]]*/gi, '')

// `example.com`, but not `2007.It`, which wants a space; and telephone numbers as they are written for abroad or in groups.
const DOMAIN = String.raw`(?<![\p{L}\p{N}_-])(?:[\p{L}\p{N}_-]{1,63}\.){1,8}(?:\p{Ll}{2,24}|\p{Lu}{2,24}|Com|Net|Org)(?![\p{L}=])`
const TELEPHONE = String.raw`\+\s?\d(?:[\s().\-]{0,3}\d){6,16}|(?<![\p{N}\-])\d{3,4}-\d{3}-\d{3,4}(?![\p{N}\-])`
const CONTACT = new RegExp(`${DOMAIN}|${TELEPHONE}`, 'gu')

/** The domains and telephone numbers of a text, in small letters. */
export const contactsIn = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(CONTACT), ([contact]) => contact.toLowerCase()))

const withoutContacts = (text: string, contacts: ReadonlySet<string>): string =>
  text.replace(CONTACT, (contact) => (contacts.has(contact.toLowerCase()) ? contact : ''))

function withoutComments(text: string): string {
  const [first = '', ...rest] = text.split('<!--')
  return (
    first + rest.map((piece) => (piece.includes('-->') ? piece.slice(piece.indexOf('-->') + 3) : '')).join('')
  )
}
