// The context of a lowering: the tree, the import prefixes and the recursive entry points.

import type { Expr, FunctionDefinition, Stmt } from '../../ir.ts'
import { type SyntaxNode, type SyntaxTree, textOf } from '../../syntax/tree.ts'

export type LoweringContext = {
  readonly tree: SyntaxTree
  /** `http` of `import 'package:http/http.dart' as http`, with the name of its package. Empty for own files. */
  readonly prefixes: ReadonlyMap<string, string>
  /** One expression. The grammar writes calls and members as parts after their object. */
  readonly sequence: (lowering: LoweringContext, nodes: readonly SyntaxNode[]) => Expr
  readonly statements: (lowering: LoweringContext, nodes: readonly SyntaxNode[]) => Stmt[]
  readonly closure: (lowering: LoweringContext, node: SyntaxNode) => FunctionDefinition
}

export const sourceOf = ({ tree }: LoweringContext, node: SyntaxNode): string => textOf(tree, node)

/** The parts of an expression: without comments and punctuation. */
export const partsOf = (nodes: readonly SyntaxNode[]): SyntaxNode[] =>
  nodes.filter(({ isNamed, type }) => isNamed && !type.includes('comment'))

/** Splits at a separator such as a comma. */
export function splitAt(
  nodes: readonly SyntaxNode[],
  isSeparator: (node: SyntaxNode) => boolean,
): SyntaxNode[][] {
  const groups: SyntaxNode[][] = [[]]
  for (const node of nodes) {
    if (isSeparator(node)) groups.push([])
    else groups.at(-1)?.push(node)
  }
  return groups
}

export const isComma = ({ type }: SyntaxNode): boolean => type === ','
