// A parsed text as plain objects: quick to walk, and free of the parser that made it.
import type { TreeCursor } from 'web-tree-sitter'
import type { Grammar } from './grammars.ts'

/** Where something stands in its file. Lines count from 1, offsets and columns from 0 in UTF-16 units. */
export type Place = {
  readonly start: number
  readonly end: number
  readonly line: number
  readonly endLine: number
}

export type SyntaxNode = Place & {
  readonly type: string
  /** What it is to its parent, as the grammar names it: `left`, `arguments`… */
  readonly field: string | null
  /** False for punctuation, operators and keywords. */
  readonly isNamed: boolean
  readonly children: readonly SyntaxNode[]
}

export type SyntaxTree = { readonly text: string; readonly root: SyntaxNode; readonly hasError: boolean }

export type ParseLimits = {
  /** Of our own time, not of the clock on the wall. */
  readonly msMax: number
  /** What is nested deeper is left out: whoever walks the tree may do it by recursion. */
  readonly depthMax?: number
}

const DEPTH_MAX = 400

/** Null when the time was up. For a thread that nobody waits on: it does not let others have their turn. */
export function parseTree({ parser }: Grammar, text: string, limits: ParseLimits): SyntaxTree | null {
  const endMs = performance.now() + limits.msMax
  const tree = parser.parse(text, null, { progressCallback: () => performance.now() > endMs })
  try {
    if (!tree) return null
    const cursor = tree.walk()
    try {
      const { types, fields } = tree.language
      const reading: Reading = { cursor, types, fields, lines: lineStarts(text) }
      return {
        text,
        root: read(reading, limits.depthMax ?? DEPTH_MAX),
        hasError: tree.rootNode.hasError,
      }
    } finally {
      cursor.delete()
    }
  } finally {
    tree?.delete()
    parser.reset()
  }
}

/** The first child with this role. */
export const childOf = (node: SyntaxNode, field: string): SyntaxNode | undefined =>
  node.children.find((child) => child.field === field)

export const childrenOf = (node: SyntaxNode, field: string): SyntaxNode[] =>
  node.children.filter((child) => child.field === field)

/** Children that mean something: no punctuation, no comments. */
export const partsOf = (node: SyntaxNode): SyntaxNode[] =>
  node.children.filter(({ isNamed, type }) => isNamed && !type.includes('comment'))

export const textOf = ({ text }: SyntaxTree, { start, end }: Place): string => text.slice(start, end)

type Reading = {
  readonly cursor: TreeCursor
  readonly types: readonly string[]
  readonly fields: readonly (string | null)[]
  readonly lines: readonly number[]
}

function read(reading: Reading, depthLeft: number): SyntaxNode {
  const { cursor, types, fields, lines } = reading
  const { startIndex: start, endIndex: end } = cursor
  const children: SyntaxNode[] = []
  const line = lineAt(lines, start)
  const node = {
    // The parser numbers what it could not read differently from what the grammar has.
    type: types[cursor.nodeTypeId] ?? 'ERROR',
    field: fields[cursor.currentFieldId] ?? null,
    isNamed: cursor.nodeIsNamed,
    start,
    end,
    line,
    endLine: lineAt(lines, end, line),
    children,
  }
  if (depthLeft > 0 && cursor.gotoFirstChild()) {
    do children.push(read(reading, depthLeft - 1))
    while (cursor.gotoNextSibling())
    cursor.gotoParent()
  }
  return node
}

function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The line in which an offset lies; `from` is one that is known not to lie behind it. */
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
