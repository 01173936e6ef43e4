// The definitions of a file and its classes, by its syntax.
import { grammarNamed } from '@cowrie/analysis/syntax/grammars.ts'
import { parseTree, type SyntaxNode, type SyntaxTree } from '@cowrie/analysis/syntax/tree.ts'
import { languageOf } from '../filter/languages.ts'
import { findUnits } from './code-units.ts'
import { splitLines } from './lines.ts'
import { bodyOf, isContainer } from './syntax-kinds.ts'

export type Definition = {
  readonly kind: string
  readonly symbol: string
  readonly scope: string
  readonly line: number
  readonly endLine: number
}

/** Deeper nodes are inside statements. */
const NODE_DEPTH_MAX = 16
const CLASS_DEPTH_MAX = 5

/** Empty without a grammar, after a parser error and after too many parser steps. */
export async function findDefinitions(path: string, text: string): Promise<Definition[]> {
  const { grammar: name } = languageOf(path)
  const grammar = name ? await grammarNamed(name) : 'unavailable'
  if (grammar === 'unavailable') return []
  try {
    // The parser counts only line feeds, so other line endings must be normalised.
    const source = splitLines(text).join('\n')
    const tree = parseTree(grammar, source, { depthMax: NODE_DEPTH_MAX })
    return tree ? definitionsIn(tree, tree.root, '', 0) : []
  } catch {
    // One file that the parser rejects must not hide the definitions in others.
    return []
  }
}

function definitionsIn(tree: SyntaxTree, parent: SyntaxNode, scope: string, depth: number): Definition[] {
  return findUnits(tree, parent, scope).flatMap((unit) => {
    const { kind, symbol, node, last } = unit
    if (symbol === '' || kind === 'import' || kind === 'comment') return []
    const definition = { kind, symbol, scope: unit.scope, line: node.line, endLine: last }
    if (!isContainer(node) || depth >= CLASS_DEPTH_MAX) return [definition]
    const inner = [unit.scope, symbol].filter((part) => part !== '').join(' › ')
    const body = bodyOf(node)
    return [definition, ...(body ? definitionsIn(tree, body, inner, depth + 1) : [])]
  })
}
