// Reduces a page to balanced, shallow markup without hidden elements. Hidden text may carry prompt injections, and
// unclosed elements make parsers slow.
import { BLOCKS, CELLS, findImpliedEnds, IGNORED_TAGS, RAW_TEXT, TABLE_PARTS } from './elements.ts'
import { decodeEntities } from './entities.ts'
import { isHidden, isPageChrome } from './hidden-elements.ts'
import { type HtmlAttributes, type HtmlToken, tokenizeHtml } from './html-tokens.ts'

export type PrunedPage = {
  /** Balanced markup, at most `DEPTH_MAX` deep, with few attributes. */
  readonly body: string
  readonly head: string
  readonly language: string | null
  /** JSON-LD blocks. */
  readonly statements: readonly string[]
  /** Work for the parser: elements, breaks and entities. */
  readonly nodes: number
  readonly isCut: boolean
}

const DEPTH_MAX = 80
const NODES_MAX = 30_000
const CHARACTERS_MAX = 1_000_000
const KEPT_ATTRIBUTES = ['class', 'id', 'role', 'itemprop', 'rel', 'href', 'datetime']
const HEAD_MAX = 120
const STATEMENTS_MAX = 8
const STATEMENT_CHARACTERS_MAX = 200_000

type PrunedElement = { readonly name: string; readonly isWritten: boolean }

type PruneState = {
  readonly parts: string[]
  readonly head: string[]
  readonly statements: string[]
  readonly stack: PrunedElement[]
  /** Elements below `DEPTH_MAX`. They are counted to find their ends, and their tags are dropped. */
  deeper: number
  /** At this depth or deeper nothing is written. */
  hiddenFrom: number
  nodes: number
  breaks: number
  characters: number
  language: string | null
  /** The open raw-text element, whose text is not page text. */
  raw: RawElement | null
}
type RawElement = { readonly name: string; readonly attributes: HtmlAttributes }

export function prune(html: string, isXml = false): PrunedPage {
  const page: PruneState = {
    ...{ parts: [], head: [], statements: [], stack: [], deeper: 0, hiddenFrom: Number.POSITIVE_INFINITY },
    ...{ nodes: 0, breaks: 0, characters: 0, language: null, raw: null },
  }
  let isCut = false
  for (const token of tokenizeHtml(html, isXml)) {
    isCut = page.nodes >= NODES_MAX || page.characters >= CHARACTERS_MAX
    if (isCut) break
    handleToken(page, token)
  }
  closeDownTo(page, 0)
  const { parts, head, statements, nodes, language } = page
  return { body: parts.join(''), head: head.join(''), statements, nodes, language, isCut }
}

function handleToken(page: PruneState, token: HtmlToken): void {
  if (token.kind === 'text') handleText(page, token.text)
  else if (token.kind === 'close') handleCloseTag(page, token.name)
  else handleOpenTag(page, token)
}

function handleOpenTag(
  page: PruneState,
  { name, attributes, isClosed }: Extract<HtmlToken, { kind: 'open' }>,
): void {
  if (RAW_TEXT.has(name)) page.raw = isClosed ? null : { name, attributes }
  else if (name === 'html') page.language ??= attributes.get('lang') ?? attributes.get('xml:lang') ?? null
  else if (name === 'meta') handleMeta(page, attributes)
  else if (name === 'br' || name === 'hr') writeBreak(page)
  else if (!IGNORED_TAGS.has(name) && /^[a-z][a-z0-9-]*$/.test(name))
    openElement(page, name, attributes, isClosed)
}

function handleText(page: PruneState, text: string): void {
  if (page.raw) handleRawText(page, page.raw, text)
  else if (isShown(page)) write(page, escapeText(page, text))
  if (text.trim() !== '') page.breaks = 0
}

/** Escapes text. Every entity costs the parser a node; after the limit the rest is dropped. */
function escapeText(page: PruneState, text: string): string {
  return decodeEntities(text).replaceAll(/[<&]/g, (sign) => {
    page.nodes += 1
    if (page.nodes > NODES_MAX) return ' '
    return sign === '<' ? '&lt;' : sign
  })
}

function handleRawText(page: PruneState, { name, attributes }: RawElement, text: string): void {
  const isStatement =
    name === 'script' && /^application\/ld\+json\b/i.test(attributes.get('type')?.trim() ?? '')
  if (isStatement && page.statements.length < STATEMENTS_MAX && text.length <= STATEMENT_CHARACTERS_MAX)
    page.statements.push(text)
  if (name === 'title' && isShown(page) && !page.head.some((part) => part.startsWith('<title>')))
    page.head.push(`<title>${text.slice(0, 2_000).replaceAll('<', '&lt;')}</title>`)
}

function handleMeta(page: PruneState, attributes: HtmlAttributes): void {
  if (page.head.length >= HEAD_MAX || !attributes.has('content')) return
  page.head.push(`<meta${formatAttributes(attributes, ['name', 'property', 'itemprop', 'content'])}>`)
}

function openElement(page: PruneState, name: string, attributes: HtmlAttributes, isClosed: boolean): void {
  closeImplied(page, name)
  if (isClosed) return
  if (isShown(page) && (isHidden(name, attributes) || isPageChrome(name, attributes, page.stack)))
    page.hiddenFrom = depthOf(page) + 1
  const isDeeper = page.stack.length >= DEPTH_MAX
  const isWritten = !isDeeper && depthOf(page) + 1 < page.hiddenFrom
  if (isWritten) {
    write(page, `<${name}${formatAttributes(attributes, KEPT_ATTRIBUTES)}>`)
    page.nodes += 1
    page.breaks = 0
  }
  if (!isDeeper) page.stack.push({ name, isWritten })
  else {
    if (BLOCKS.has(name)) writeBreak(page)
    page.deeper += 1
  }
}

/** Two breaks end a paragraph. More have no effect. */
function writeBreak(page: PruneState): void {
  page.breaks += 1
  if (page.breaks > 2 || !isShown(page)) return
  write(page, '<br>')
  page.nodes += 1
}

function handleCloseTag(page: PruneState, name: string): void {
  if (page.raw?.name === name) page.raw = null
  else if (page.deeper > 0) {
    page.deeper -= 1
    endHidden(page)
    if (BLOCKS.has(name)) writeBreak(page)
  } else closeInScope(page, name)
}

function closeInScope(page: PruneState, name: string): void {
  for (let at = page.stack.length - 1; at >= 0; at--) {
    const open = page.stack[at]?.name ?? ''
    if (open === name) closeDownTo(page, at)
    // End tags inside a cell do not close elements outside it.
    if (open === name || (CELLS.has(open) && !TABLE_PARTS.has(name))) return
  }
}

/** An item closes the item before it, a block closes the open paragraph, and so on. */
function closeImplied(page: PruneState, name: string): void {
  if (page.deeper > 0) return
  const implied = findImpliedEnds(name)
  if (!implied) return
  let from = page.stack.length
  for (let at = page.stack.length - 1; at >= 0; at--) {
    const open = page.stack[at]?.name ?? ''
    if (implied.ends.has(open)) from = at
    else if (implied.within.has(open)) break
  }
  closeDownTo(page, from)
}

function closeDownTo(page: PruneState, length: number): void {
  while (page.stack.length > length) {
    const open = page.stack.pop()
    if (open?.isWritten) page.parts.push(`</${open.name}>`)
  }
  endHidden(page)
}

const depthOf = (page: PruneState): number => page.stack.length + page.deeper
const isShown = (page: PruneState): boolean => depthOf(page) < page.hiddenFrom

function endHidden(page: PruneState): void {
  if (isShown(page)) page.hiddenFrom = Number.POSITIVE_INFINITY
}

function write(page: PruneState, markup: string): void {
  if (!isShown(page)) return
  page.parts.push(markup)
  page.characters += markup.length
}

function formatAttributes(attributes: HtmlAttributes, names: readonly string[]): string {
  const pairs = names.flatMap((name) => {
    const value = attributes.get(name)
    return value ? [` ${name}="${value.replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"`] : []
  })
  return pairs.join('')
}
