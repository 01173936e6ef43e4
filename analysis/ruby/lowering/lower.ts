// Lowers a Ruby file, or the Ruby code of a template.

import type { Program } from '../../ir.ts'
import { namedChildren, type SyntaxNode, type SyntaxTree } from '../../syntax/tree.ts'
import { type LoweringContext, withRequest } from './context.ts'
import { expressionOf } from './expressions.ts'
import { blockOf } from './functions.ts'
import { statementsOf } from './statements.ts'

export function lower(tree: SyntaxTree): Program {
  const lowering: LoweringContext = {
    tree,
    heredocs: heredocsIn(tree.root),
    locals: { parent: null, names: new Set() },
    requestUses: new Map(),
    method: null,
    isInBlock: false,
    expression: expressionOf,
    statements: statementsOf,
    block: blockOf,
  }
  const body = statementsOf(lowering, namedChildren(tree.root))
  // The imports tell whether `params` is that of a web framework.
  const imports = body.filter(({ kind }) => kind === 'import')
  const code = body.filter(({ kind }) => kind !== 'import')
  return { language: 'ruby', body: [...imports, ...withRequest(lowering, code)], package: null }
}

/** Bodies follow their beginnings in the same order. */
function heredocsIn(root: SyntaxNode): ReadonlyMap<number, SyntaxNode> {
  const beginnings: SyntaxNode[] = []
  const bodies: SyntaxNode[] = []
  const visit = (node: SyntaxNode) => {
    if (node.type === 'heredoc_beginning') beginnings.push(node)
    else if (node.type === 'heredoc_body') bodies.push(node)
    for (const child of node.children) visit(child)
  }
  visit(root)
  const inOrder = (one: SyntaxNode, other: SyntaxNode) => one.start - other.start
  bodies.sort(inOrder)
  return new Map(
    beginnings.sort(inOrder).flatMap((each, index) => {
      const body = bodies[index]
      return body ? [[each.start, body] as const] : []
    }),
  )
}
