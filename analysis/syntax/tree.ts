// A syntax tree of plain objects: fast to walk and independent of the parser.
import type { Language, Tree, TreeCursor } from 'web-tree-sitter'
import type { Grammar } from './grammars.ts'
import { markThreadUnusable } from './parser-crash.ts'

/** A range in a file. Lines count from 1, offsets from 0 in UTF-16 units. */
export type SourceRange = {
  readonly start: number
  readonly end: number
  readonly line: number
  readonly endLine: number
}

export type SyntaxNode = SourceRange & {
  readonly type: string
  /** The role in the parent, named by the grammar: `left`, `arguments`. */
  readonly field: string | null
  /** False for punctuation, operators and keywords. */
  readonly isNamed: boolean
  readonly children: readonly SyntaxNode[]
}

export type SyntaxTree = {
  readonly text: string
  readonly root: SyntaxNode
  readonly hasError: boolean
  /** Deeply nested nodes were left out. */
  readonly isTruncated: boolean
}

export type ParseLimits = {
  /** Elapsed time on the monotonic clock. Without it, the work is limited by the length of the text. */
  readonly msMax?: number
  /** Deeper nodes are left out, so that the tree can be walked recursively. */
  readonly depthMax?: number
  /** Says how many further levels to read below a node. Without it, all. */
  readonly levelsBelow?: LevelsBelow
}

/** `levels`: what the answer for the parent left to this node. Nothing below the node is read for an answer of 0. */
export type LevelsBelow = (type: string, characters: number, levels: number) => number

const DEPTH_MAX = 400
const ROOT_LEVELS = 4
/**
 * The parser reports its progress at every hundredth operation. Usual code takes 5 to 17 reports per
 * thousand characters, so only hostile text reaches this limit.
 */
const REPORTS_MAX = { base: 200, perCharacter: 0.06 }

/** Null if a limit was reached. Runs synchronously, so it belongs on a worker thread. */
export function parseTree(grammar: Grammar, text: string, limits: ParseLimits): SyntaxTree | null {
  const { parser } = grammar
  const tree = parseWithin(parser, grammar.prepare(text), limits)
  try {
    if (!tree) return null
    const cursor = tree.walk()
    try {
      const { fields } = tree.language
      const reading: TreeReader = {
        cursor,
        text,
        kinds: kindsOf(tree.language),
        fields,
        lines: lineStarts(text),
        isTruncated: false,
        levelsBelow: limits.levelsBelow,
      }
      const root = read(reading, limits.depthMax ?? DEPTH_MAX, 1, ROOT_LEVELS)
      return { text, root, hasError: tree.rootNode.hasError, isTruncated: reading.isTruncated }
    } finally {
      cursor.delete()
    }
  } finally {
    tree?.delete()
    parser.reset()
  }
}

/** A parser that was cancelled corrupts the state shared by all parsers of this thread. */
function parseWithin(parser: Grammar['parser'], text: string, { msMax }: ParseLimits): Tree | null {
  try {
    return parser.parse(text, null, {
      progressCallback: msMax === undefined ? stopAfterReports(text.length) : stopAfterTime(msMax),
    })
  } catch (error) {
    markThreadUnusable()
    throw error
  }
}

function stopAfterReports(length: number): () => boolean {
  let left = REPORTS_MAX.base + length * REPORTS_MAX.perCharacter
  return () => --left < 0
}

function stopAfterTime(msMax: number): () => boolean {
  const endMs = performance.now() + msMax
  return () => performance.now() > endMs
}

/** The first child with this field name. */
export const childByField = (node: SyntaxNode, field: string): SyntaxNode | undefined =>
  node.children.find((child) => child.field === field)

export const childrenByField = (node: SyntaxNode, field: string): SyntaxNode[] =>
  node.children.filter((child) => child.field === field)

/** Named children without comments. */
export const namedChildren = (node: SyntaxNode): SyntaxNode[] => node.children.filter(isNamedChild)

export const isNamedChild = ({ isNamed, type }: SyntaxNode): boolean => isNamed && !type.includes('comment')

export const textOf = ({ text }: SyntaxTree, { start, end }: SourceRange): string => text.slice(start, end)

type TreeReader = {
  readonly cursor: TreeCursor
  readonly text: string
  readonly kinds: readonly Kind[]
  readonly fields: readonly (string | null)[]
  readonly lines: readonly number[]
  readonly levelsBelow: LevelsBelow | undefined
  isTruncated: boolean
}

/**
 * `isItself`: punctuation and keywords, whose type is their text. Keywords such as `not in` have several
 * tokens.
 */
type Kind = { readonly type: string; readonly isNamed: boolean; readonly isItself: boolean }

// The parser numbers error nodes outside the range of the grammar.
const ERROR: Kind = { type: 'ERROR', isNamed: true, isItself: false }

const kindsByLanguage = new WeakMap<Language, readonly Kind[]>()

/** The node types of a grammar by number, read once because each call into the parser is slow. */
function kindsOf(language: Language): readonly Kind[] {
  const before = kindsByLanguage.get(language)
  if (before) return before
  const kinds = Array.from(language.types, (type, id) => {
    const isNamed = language.nodeTypeIsNamed(id)
    return { type, isNamed, isItself: !isNamed && !/\s/.test(type) }
  })
  kindsByLanguage.set(language, kinds)
  return kinds
}

/** `from`: a line that is not after the node. */
function read(reading: TreeReader, depthLeft: number, from: number, levels: number): SyntaxNode {
  const { cursor, text, fields, lines, levelsBelow } = reading
  const { type, isNamed, isItself } = reading.kinds[cursor.nodeTypeId] ?? ERROR
  const field = fields[cursor.currentFieldId] ?? null
  const start = cursor.startIndex
  const line = lineAt(lines, start, from)
  if (isItself && text.startsWith(type, start))
    return { type, field, isNamed, start, end: start + type.length, line, endLine: line, children: NONE }
  const end = cursor.endIndex
  const endLine = lineAt(lines, end, line)
  const below = levelsBelow ? levelsBelow(type, end - start, levels) : 1
  const isLeaf = below <= 0 || !cursor.gotoFirstChild()
  if (isLeaf || depthLeft === 0) {
    if (!isLeaf) {
      reading.isTruncated = true
      cursor.gotoParent()
    }
    return { type, field, isNamed, start, end, line, endLine, children: NONE }
  }
  const children: SyntaxNode[] = []
  let last = line
  do {
    const child = read(reading, depthLeft - 1, last, below - 1)
    children.push(child)
    last = child.line
  } while (cursor.gotoNextSibling())
  cursor.gotoParent()
  return { type, field, isNamed, start, end, line, endLine, children }
}

const NONE: readonly SyntaxNode[] = []

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The line of an offset. `from` is a line that is not after it. */
function lineAt(starts: readonly number[], offset: number, from = 1): number {
  if ((starts[from] ?? Number.POSITIVE_INFINITY) > offset) return from
  let [low, high] = [from, starts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle + 1
    else high = middle
  }
  return low
}
