// Splits code by definitions: one chunk per function or method, small ones merged, long ones split between statements, an
// outline for each class, and one chunk for the whole file.
import { namedChildren, type SyntaxNode, type SyntaxTree } from '@cowrie/analysis/syntax/tree.ts'
import { CHUNK_CHARACTERS, type Chunk, type ChunkKind } from './chunk.ts'
import { type CodeUnit, findUnits, lastLine } from './code-units.ts'
import { type Lines, type Span, sizeBetween, splitIntoChunks, textBetween, trimBlankLines } from './lines.ts'
import { bodyOf, isContainer } from './syntax-kinds.ts'

type Source = { readonly tree: SyntaxTree; readonly lines: Lines }

const { least, merged, whole, most } = CHUNK_CHARACTERS

export function codeChunks(tree: SyntaxTree, lines: Lines): Chunk[] {
  const span = trimBlankLines(lines, { first: 1, last: lines.length })
  const units = findUnits(tree, tree.root, '')
  if (!span) return []
  if (sizeOf(lines, span) <= whole) return [smallFileChunk(lines, span, units)]
  const shown = units.filter((unit, i) => !isOpening(unit, i))
  return [...fileChunk(lines, units), ...chunkUnits({ tree, lines }, shown)]
}

/** The chunk of the whole file shows its imports and its first comment. */
const isOpening = ({ kind }: CodeUnit, i: number): boolean =>
  kind === 'import' || (kind === 'comment' && i === 0)

function smallFileChunk(lines: Lines, { first, last }: Span, units: readonly CodeUnit[]): Chunk {
  const defined = units.filter(({ symbol }) => symbol !== '')
  const kind = defined.length === 1 ? chunkKind(defined[0]) : 'file'
  const docs = defined.length === 1 && defined[0] ? docsOf(lines, defined[0]) : {}
  return {
    ...docs,
    kind,
    symbol: symbolNames(defined),
    scope: '',
    startLine: first,
    endLine: last,
    content: textBetween(lines, first, last),
  }
}

/** The chunk of the whole file: first comment, imports and the names of its definitions. */
function fileChunk(lines: Lines, units: readonly CodeUnit[]): Chunk[] {
  const opening = units.filter(isOpening)
  const imports = opening.map(({ first, last }) => textBetween(lines, first, last)).join('\n')
  const names = units.flatMap(({ kind, symbol }) => (symbol && kind !== 'import' ? [symbol] : []))
  const content = [imports.slice(0, most), names.join(', ').slice(0, most)]
    .filter((part) => part !== '')
    .join('\n\n')
  if (content === '') return []
  const last = opening.at(-1)?.last ?? 1
  return [
    {
      kind: 'file',
      symbol: '',
      scope: '',
      startLine: opening[0]?.first ?? 1,
      endLine: last,
      content: content.toWellFormed(),
    },
  ]
}

/** Chunks in order. Small neighbouring units are merged. */
function chunkUnits(source: Source, units: readonly CodeUnit[]): Chunk[] {
  const chunks: Chunk[] = []
  let group: CodeUnit[] = []
  const end = () => {
    if (group.length > 0) chunks.push(groupChunk(source.lines, group))
    group = []
  }
  for (const unit of units) {
    const size = sizeOf(source.lines, unit)
    if (size >= least) {
      // A separate comment is merged with the unit after it, not before it.
      if (!(group.length === 1 && group[0]?.kind === 'comment' && size < most)) end()
      const opening = group[0]
      group = []
      chunks.push(...unitChunks(source, opening ? { ...unit, first: opening.first } : unit))
      continue
    }
    const start = group[0]
    if (start && sizeOf(source.lines, { first: start.first, last: unit.last }) > merged) end()
    group.push(unit)
  }
  end()
  return chunks
}

const sizeOf = (lines: Lines, { first, last }: Span): number => sizeBetween(lines, first, last)

const chunkKind = (unit: CodeUnit | undefined): ChunkKind =>
  unit === undefined || unit.kind === 'comment' || unit.kind === 'import' ? 'code' : unit.kind

const SYMBOL_CHARACTERS_MAX = 200
const symbolNames = (units: readonly CodeUnit[]): string =>
  units
    .flatMap(({ symbol }) => symbol || [])
    .join(', ')
    .slice(0, SYMBOL_CHARACTERS_MAX)
    .toWellFormed()

function groupChunk(lines: Lines, group: readonly CodeUnit[]): Chunk {
  const [start, end] = [group[0], group.at(-1)]
  const span = { first: start?.first ?? 1, last: end?.last ?? 1 }
  const kinds = new Set(group.flatMap(({ kind }) => (kind === 'comment' ? [] : [kind])))
  const kind = kinds.size === 1 ? chunkKind(group.find((unit) => unit.kind !== 'comment')) : 'code'
  const docs = group.length === 1 && start ? docsOf(lines, start) : {}
  return {
    ...docs,
    kind,
    symbol: symbolNames(group),
    scope: start?.scope ?? '',
    startLine: span.first,
    endLine: span.last,
    content: textBetween(lines, span.first, span.last),
  }
}

function unitChunks(source: Source, unit: CodeUnit): Chunk[] {
  const size = sizeOf(source.lines, unit)
  if (isContainer(unit.node) && size > whole) return classChunks(source, unit)
  if (size <= most) return [groupChunk(source.lines, [unit])]
  return splitUnit(source, unit)
}

/** An outline of the class, followed by the chunks of its members. */
function classChunks(source: Source, unit: CodeUnit): Chunk[] {
  const { tree, lines } = source
  const body = bodyOf(unit.node) ?? unit.node
  const scope = [unit.scope, unit.symbol].filter((part) => part !== '').join(' › ')
  const members = findUnits(tree, body, scope).filter(
    ({ first, kind }, i) => first > unit.node.line && !(kind === 'comment' && i === 0),
  )
  if (members.length === 0) return splitUnit(source, unit)
  const header = textBetween(
    lines,
    unit.first,
    Math.max(unit.node.line, (members[0]?.first ?? 1) - 1),
  ).trimEnd()
  const outline = [header, ...members.flatMap((member) => signatureOf(source, member) || [])].join('\n')
  const chunk: Chunk = {
    ...docsOf(lines, unit),
    kind: 'class',
    symbol: unit.symbol,
    scope: unit.scope,
    startLine: unit.first,
    endLine: unit.last,
    content: outline.slice(0, most).toWellFormed(),
  }
  return [chunk, ...chunkUnits(source, members)]
}

const SIGNATURE_CHARACTERS_MAX = 300

/** The lines of a definition before its body. */
function signatureOf({ tree, lines }: Source, { kind, node, last }: CodeUnit): string {
  if (kind === 'comment' || kind === 'import') return ''
  const body = bodyOf(node)
  const end = body
    ? Math.max(node.line, body.line > node.line ? body.line - (isOnOwnLine(tree, body) ? 1 : 0) : node.line)
    : last
  const text = textBetween(lines, node.line, Math.min(end, last))
  return text.length > SIGNATURE_CHARACTERS_MAX
    ? `${text.slice(0, SIGNATURE_CHARACTERS_MAX).toWellFormed()}…`
    : text
}

const isOnOwnLine = ({ text }: SyntaxTree, { start }: SyntaxNode): boolean =>
  text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() === ''

/** Splits a long unit between statements. Each further piece repeats the signature. */
function splitUnit(source: Source, unit: CodeUnit): Chunk[] {
  const { lines } = source
  const signature = unit.kind === 'function' ? signatureOf(source, unit) : ''
  const like = { kind: chunkKind(unit), symbol: unit.symbol, scope: unit.scope }
  const room = most - signature.length
  return mergeSpans(lines, splitNode(source, unit.node, unit, room), room).flatMap((span, i) => {
    const docs = i === 0 ? docsOf(lines, unit) : {}
    return splitIntoChunks(lines, span, like).map((chunk) =>
      i === 0 || signature === ''
        ? { ...docs, ...chunk }
        : { ...chunk, content: `${signature}\n${chunk.content}` },
    )
  })
}

const DEPTH_MAX = 40

/** Groups neighbouring child nodes that fit together. A node that does not fit alone is split recursively. */
function splitNode(source: Source, node: SyntaxNode, span: Span, room: number, depth = 0): Span[] {
  const { tree, lines } = source
  if (sizeOf(lines, span) <= room || depth > DEPTH_MAX) return [span]
  const parts = namedChildren(node).filter(
    (part) => part.line > span.first && lastLine(tree, part) <= span.last,
  )
  if (parts.length === 0) {
    const inner = namedChildren(node).findLast((part) => lastLine(tree, part) > part.line)
    return inner ? splitNode(source, inner, span, room, depth + 1) : [span]
  }
  const spans: Span[] = []
  let from = span.first
  for (const [i, part] of parts.entries()) {
    const next = (parts[i + 1]?.line ?? span.last + 1) - 1
    if (next < from) continue
    if (sizeOf(lines, { first: from, last: next }) <= room) continue
    if (part.line > from) spans.push({ first: from, last: part.line - 1 })
    from = Math.max(from, part.line)
    if (sizeOf(lines, { first: from, last: next }) <= room) continue
    spans.push(...splitNode(source, part, { first: from, last: next }, room, depth + 1))
    from = next + 1
  }
  if (from <= span.last) spans.push({ first: from, last: span.last })
  return spans
}

/** Merges neighbouring pieces that fit together. A very small piece may exceed the limit slightly. */
function mergeSpans(lines: Lines, spans: readonly Span[], room: number): Span[] {
  const result: Span[] = []
  for (const span of spans) {
    const last = result.at(-1)
    const size = last ? sizeOf(lines, { first: last.first, last: span.last }) : Number.POSITIVE_INFINITY
    const isSmall = sizeOf(lines, span) < least || (last !== undefined && sizeOf(lines, last) < least)
    if (last && size <= (isSmall ? room + least : room))
      result[result.length - 1] = { first: last.first, last: span.last }
    else result.push(span)
  }
  return result
}

const DOC_WORDS_MIN = 4
const DOCS_CHARACTERS_MAX = 2_000
const DOCSTRING_START = /^\s*[rub]{0,2}("""|''')/i
const DOCSTRING = /^\s*(?:[rub]{0,2})("""|''')([\s\S]*?)\1/i

/** The comment before a definition, or its Python docstring. */
function docsOf(lines: Lines, { kind, docs, node, last }: CodeUnit): { docs?: string } {
  if (kind !== 'function' && kind !== 'class') return {}
  let first = node.line + 1
  while (first < last && lines[first - 1]?.trim() === '') first += 1
  const isInside = DOCSTRING_START.test(lines[first - 1] ?? '')
  const inside = isInside ? DOCSTRING.exec(textBetween(lines, node.line + 1, last))?.[0] : undefined
  const whole = inside ?? (docs ? textBetween(lines, docs.first, docs.last) : '')
  const text = whole.slice(0, DOCS_CHARACTERS_MAX).toWellFormed()
  return text.split(/\s+/).length >= DOC_WORDS_MIN ? { docs: text } : {}
}
