// Finds the units of a file or class in order: definitions, imports and comments. Comments and decorators before a definition
// belong to it.
import type { SyntaxNode, SyntaxTree } from '@cowrie/analysis/syntax/tree.ts'
import type { ChunkKind } from './chunk.ts'
import type { Span } from './lines.ts'
import {
  bodyOf,
  describeNode,
  isComment,
  isDocstring,
  isImport,
  isNamespace,
  isPrefix,
} from './syntax-kinds.ts'

export type CodeUnit = Span & {
  readonly kind: ChunkKind | 'import' | 'comment'
  readonly symbol: string
  readonly scope: string
  /** The definition itself, without export statements and other wrappers. */
  readonly node: SyntaxNode
  /** Comment lines before the definition. */
  readonly docs: Span | null
}

const NAMESPACE_DEPTH_MAX = 6

export function findUnits(tree: SyntaxTree, parent: SyntaxNode, outer: string, depth = 0): CodeUnit[] {
  let scope = outer
  const units: CodeUnit[] = []
  let prefix: SyntaxNode[] = []
  // A comment that no definition follows directly is a separate unit.
  const flushPrefix = () => {
    const [from, to] = [prefix[0], prefix.at(-1)]
    if (from && to)
      pushUnit(units, {
        ...spanOf(tree, from, to),
        kind: 'comment',
        symbol: '',
        scope,
        node: from,
        docs: null,
      })
    prefix = []
  }
  for (const node of parent.children) {
    if (!node.isNamed) continue
    const before = prefix.at(-1)
    if (before && node.line > lastLine(tree, before) + 1) flushPrefix()
    if (isPrefix(node) && !isTrailingComment(tree, units.at(-1), node)) prefix.push(node)
    else if (isNamespace(node) && depth < NAMESPACE_DEPTH_MAX) {
      flushPrefix()
      for (const inner of namespaceUnits(tree, node, scope, depth)) pushUnit(units, inner)
      // `namespace A.B;` in C# has no body and applies to the rest of the file.
      if (node.type === 'file_scoped_namespace_declaration') scope = scopeInside(tree, node, scope)
    } else if (!isComment(node)) {
      pushUnit(units, toUnit(tree, node, prefix, scope))
      prefix = []
    }
  }
  flushPrefix()
  return units
}

function namespaceUnits(tree: SyntaxTree, node: SyntaxNode, scope: string, depth: number): CodeUnit[] {
  return findUnits(tree, bodyOf(node) ?? node, scopeInside(tree, node, scope), depth + 1)
}

function scopeInside(tree: SyntaxTree, node: SyntaxNode, scope: string): string {
  const name = /^preproc|^linkage/.test(node.type) ? '' : describeNode(tree, node).symbol
  return [scope, name].filter((part) => part !== '').join(' › ')
}

function toUnit(tree: SyntaxTree, node: SyntaxNode, prefix: readonly SyntaxNode[], scope: string): CodeUnit {
  const first = prefix[0]
  const span = spanOf(tree, first ?? node, node)
  const docs = first ? { first: span.first, last: node.line - 1 } : null
  if (isImport(node)) return { ...span, kind: 'import', symbol: '', scope, node, docs }
  if (isDocstring(node)) return { ...span, kind: 'comment', symbol: '', scope, node, docs: null }
  return { ...span, ...describeNode(tree, node), scope, docs: docs && docs.last >= docs.first ? docs : null }
}

/** A comment at the end of a line belongs to the unit on that line. */
const isTrailingComment = (tree: SyntaxTree, unit: CodeUnit | undefined, node: SyntaxNode): boolean =>
  unit !== undefined && node.line === unit.last && lastLine(tree, node) === node.line

const spanOf = (tree: SyntaxTree, from: SyntaxNode, to: SyntaxNode): Span => ({
  first: from.line,
  last: lastLine(tree, to),
})

/** Some grammars include the line break after a definition. */
export const lastLine = ({ text }: SyntaxTree, { end, line, endLine }: SyntaxNode): number =>
  Math.max(line, text[end - 1] === '\n' ? endLine - 1 : endLine)

/** Merges a unit that starts on the last line of the previous one. */
function pushUnit(units: CodeUnit[], unit: CodeUnit): void {
  const last = units.at(-1)
  if (!last || unit.first > last.last) units.push(unit)
  else if (unit.last > last.last || last.kind === 'import')
    units[units.length - 1] = {
      ...(last.kind === 'import' || last.kind === 'comment' ? unit : last),
      first: last.first,
      last: Math.max(last.last, unit.last),
    }
}
