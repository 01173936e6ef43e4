// Converts a document to plain text with paragraphs, headings, list items, table rows and code. Drops link targets
// and images.
import { childrenOf, type DomNode, ELEMENT, TEXT } from './dom.ts'
import { BLOCKS, HEADINGS } from './elements.ts'

type TextBlockKind = 'text' | 'heading' | 'item' | 'row' | 'code'
type TextBlock = { readonly kind: TextBlockKind; readonly text: string }

/** Cells of layout tables contain whole texts; these are not rows. */
const CELL_BLOCKS_MAX = 3
const CELL_CHARACTERS_MAX = 600
/** Marks a line break until spaces are collapsed. */
const BREAK = '\u2028'

/** Recursion depth is limited, because the document was pruned. */
export function toPlainText(root: DomNode): string {
  let text = ''
  let before: TextBlockKind | undefined
  for (const { kind, text: block } of splitBlocks(root)) {
    const isClose = kind === before && (kind === 'item' || kind === 'row')
    text += `${text === '' ? '' : isClose ? '\n' : '\n\n'}${block}`
    before = kind
  }
  return text
}

/** Characters outside links. */
export function countProse(node: DomNode): number {
  if (node.nodeType === TEXT) return (node.data ?? '').replaceAll(/\s+/g, ' ').length
  if (node.localName === 'a') return 0
  return childrenOf(node).reduce((sum, child) => sum + countProse(child), 0)
}

type TextBlockWriter = { readonly blocks: TextBlock[]; line: string; kind: TextBlockKind }

function splitBlocks(root: DomNode): TextBlock[] {
  const writer: TextBlockWriter = { blocks: [], line: '', kind: 'text' }
  for (const child of childrenOf(root)) visit(writer, child)
  flush(writer)
  return writer.blocks
}

function visit(writer: TextBlockWriter, node: DomNode): void {
  if (node.nodeType === TEXT) writer.line += node.data ?? ''
  if (node.nodeType !== ELEMENT) return
  const name = node.localName ?? ''
  if (name === 'br') writer.line += BREAK
  else if (name === 'sup') writer.line += readSuperscript(node)
  else if (name === 'pre') visitCode(writer, node)
  else if (name === 'tr') visitRow(writer, node)
  else if (HEADINGS.has(name)) visitBlock(writer, node, 'heading')
  else if (name === 'li') visitBlock(writer, node, 'item')
  else if (BLOCKS.has(name)) visitBlock(writer, node, writer.kind)
  else for (const child of childrenOf(node)) visit(writer, child)
}

function visitBlock(writer: TextBlockWriter, node: DomNode, kind: TextBlockKind): void {
  flush(writer)
  const outer = writer.kind
  const before = writer.blocks.length
  writer.kind = kind
  for (const child of childrenOf(node)) visit(writer, child)
  flush(writer)
  // The first block of an item is the item; later ones are text.
  writer.kind = outer === 'item' && writer.blocks.length > before ? 'text' : outer
}

function visitCode(writer: TextBlockWriter, node: DomNode): void {
  flush(writer)
  const text = readCode(node).replace(/^\n/, '').trimEnd()
  if (text.trim() !== '') writer.blocks.push({ kind: 'code', text })
}

function readCode(node: DomNode): string {
  if (node.nodeType === TEXT) return node.data ?? ''
  if (node.localName === 'br') return '\n'
  return childrenOf(node).reduce((text, child) => text + readCode(child), '')
}

function visitRow(writer: TextBlockWriter, node: DomNode): void {
  flush(writer)
  const cells = [...childrenOf(node)].filter((child) => child.nodeType === ELEMENT).map(splitBlocks)
  const isRow = cells.every(
    (blocks) =>
      blocks.length <= CELL_BLOCKS_MAX &&
      blocks.every(({ kind, text }) => kind !== 'row' && text.length <= CELL_CHARACTERS_MAX),
  )
  if (!isRow) {
    for (const block of cells.flat()) writer.blocks.push(block)
    return
  }
  const texts = cells.map((blocks) => blocks.map(({ text }) => text.replaceAll('\n', ' ')).join(' '))
  if (texts.some((text) => text !== '')) writer.blocks.push({ kind: 'row', text: texts.join(' | ') })
}

/** Removes footnote marks, which would read as citations; keeps exponents. */
function readSuperscript(node: DomNode): string {
  const text = (node.textContent ?? '').trim()
  if (/^\[[^\]]{1,20}\](\s?\[[^\]]{1,20}\])?$/.test(text)) return ''
  return /^[-−+]?\d/.test(text) ? `^${text}` : text
}

function flush(writer: TextBlockWriter): void {
  const text = writer.line
    .replaceAll(/[^\S\u2028]+/g, ' ')
    .replaceAll(/ ?\u2028 ?/g, '\n')
    .replaceAll(/\n{2,}/g, '\n')
    .trim()
  writer.line = ''
  if (text === '') return
  const { kind } = writer
  const mark = kind === 'heading' ? '## ' : kind === 'item' ? '- ' : ''
  writer.blocks.push({ kind, text: mark === '' ? text : mark + text.replaceAll('\n', ' ') })
  if (kind === 'item') writer.kind = 'text'
}
