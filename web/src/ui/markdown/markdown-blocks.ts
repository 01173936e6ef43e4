// Splits the Markdown of models into blocks. A block with a successor never changes again, so its rendering stays;
// only the last block is read again as text arrives. Every step is linear in the length of the text.

export type BlockKind = 'paragraph' | 'heading' | 'list' | 'quote' | 'code' | 'table' | 'rule'
/** One block as written, and its offset. */
export type Block = { readonly kind: BlockKind; readonly text: string; readonly start: number }

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
const QUOTE = /^ {0,3}>/
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])([ \t]+|$)/
const TABLE_RULE = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$/
const UNDERLINE = /^ {0,3}(?:={3,}|-{3,})[ \t]*$/
/** The start of a line whose kind is still open. */
const UNDECIDED = /^[ \t>]*(?:[-*+#|`~_=:\\ ]{1,12}|\d{1,4}[.)]?)$/

/** The blocks of a text. With the blocks of an earlier state of the same text, only the last one is split again. */
export function splitBlocks(text: string, before: readonly Block[] = []): Block[] {
  const settled = before.slice(0, -1)
  const blocks = [...settled]
  let at = before.at(-1)?.start ?? 0
  while (at < text.length) {
    const line = lineAt(text, at)
    if (line.text.trim() === '') {
      at = line.next
      continue
    }
    const kind = kindAt(text, line)
    const end = endOf(kind, text, line)
    blocks.push({ kind, text: text.slice(at, end).trimEnd(), start: at })
    at = end
  }
  return blocks
}

/** The text without an end that is still arriving and whose meaning is open. */
export function decided(text: string): string {
  const start = text.lastIndexOf('\n') + 1
  const tail = text.slice(start, start + 40)
  return text.length - start < 40 && UNDECIDED.test(tail) ? text.slice(0, start) : text
}

type Line = { readonly text: string; readonly next: number }

function lineAt(text: string, at: number): Line {
  const end = text.indexOf('\n', at)
  return end < 0 ? { text: text.slice(at), next: text.length } : { text: text.slice(at, end), next: end + 1 }
}

function kindAt(text: string, line: Line): BlockKind {
  if (fenceOf(line.text)) return 'code'
  if (HEADING.test(line.text)) return 'heading'
  if (RULE.test(line.text)) return 'rule'
  if (QUOTE.test(line.text)) return 'quote'
  if (ITEM.test(line.text)) return 'list'
  if (isTable(line.text, lineAt(text, line.next).text)) return 'table'
  return 'paragraph'
}

const isTable = (head: string, rule: string): boolean =>
  head.includes('|') && rule.includes('-') && TABLE_RULE.test(rule.trim())

function endOf(kind: BlockKind, text: string, first: Line): number {
  if (kind === 'heading' || kind === 'rule') return first.next
  if (kind === 'code') return endOfFence(text, first)
  if (kind === 'list') return endOfList(text, first)
  let { next: at } = first
  while (at < text.length) {
    const line = lineAt(text, at)
    if (line.text.trim() === '') return at
    if (kind === 'paragraph' && UNDERLINE.test(line.text)) return line.next
    if (kind === 'quote' ? !QUOTE.test(line.text) && interrupts(line.text) : interrupts(line.text)) return at
    if (kind === 'paragraph' && isTable(line.text, lineAt(text, line.next).text)) return at
    at = line.next
  }
  return at
}

/** Lines that end a paragraph without an empty line. A number starts a list only if it is 1. */
function interrupts(line: string): boolean {
  if (fenceOf(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line)) return true
  const item = ITEM.exec(line)
  return item !== null && item[3] !== '' && (item[2]?.length === 1 || item[2] === '1.' || item[2] === '1)')
}

export function fenceOf(line: string): { fence: string; info: string } | null {
  const found = FENCE.exec(line)
  if (!found) return null
  const [whole, fence = ''] = found
  const info = line.slice(whole.length).trim()
  // Otherwise it is inline code, such as ```this```.
  return fence[0] === '`' && info.includes('`') ? null : { fence, info }
}

export function closesFence(line: string, fence: string): boolean {
  const bare = line.trim()
  return bare.length >= fence.length && bare[0] === fence[0] && bare === fence.charAt(0).repeat(bare.length)
}

function endOfFence(text: string, first: Line): number {
  const fence = fenceOf(first.text)?.fence ?? '```'
  let { next: at } = first
  while (at < text.length) {
    const line = lineAt(text, at)
    at = line.next
    if (closesFence(line.text, fence)) return at
  }
  return at
}

/** A list continues with items of its kind, with indented lines below them, and past empty lines between those. */
function endOfList(text: string, first: Line): number {
  const kind = listKind(first.text)
  let fence: string | null = null
  let isAfterBlank = false
  let { next: at } = first
  while (at < text.length) {
    const line = lineAt(text, at)
    const isIndented = /^(?: {2}|\t)/.test(line.text)
    if (line.text.trim() === '') isAfterBlank = true
    else {
      if (fence === null && !isIndented) {
        if (ITEM.test(line.text) ? listKind(line.text) !== kind || RULE.test(line.text) : isAfterBlank)
          return at
        if (!ITEM.test(line.text) && interrupts(line.text)) return at
      }
      // Code inside an item may contain any line.
      if (fence !== null && !isIndented && isAfterBlank) return at
      if (fence !== null) fence = closesFence(line.text, fence) ? null : fence
      else if (isIndented) fence = fenceOf(line.text.trimStart())?.fence ?? null
      isAfterBlank = false
    }
    at = line.next
  }
  return at
}

/** Items belong together by their marker: the same sign, or numbers with the same end. */
export const listKind = (line: string): string => ITEM.exec(line)?.[2]?.at(-1) ?? ''

type ItemMark = { mark: string; indent: number; width: number }

export function itemOf(line: string): ItemMark | null {
  const found = ITEM.exec(line)
  if (!found) return null
  const [whole, indent = '', mark = '', gap = ''] = found
  // More than four spaces after the marker belong to the content.
  const width = gap.length > 4 ? whole.length - gap.length + 1 : whole.length
  return { mark, indent: indent.length, width }
}
