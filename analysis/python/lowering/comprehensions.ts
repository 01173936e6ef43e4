// Lowers a comprehension to an immediately called function that fills a list or map in a loop.

import type { Expr, Stmt } from '../../ir.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import {
  asStatement,
  assignExpr,
  branch,
  callExpr,
  type LoweringContext,
  literal,
  nameExpr,
  rangeOf,
} from './context.ts'
import { namesIn, target } from './variables.ts'

type LowerExpression = (lowering: LoweringContext, node: SyntaxNode | undefined) => Expr

export function comprehension(lowering: LoweringContext, node: SyntaxNode, lower: LowerExpression): Expr {
  const at = rangeOf(node)
  const isMap = node.type === 'dictionary_comprehension'
  const clauses = namedChildren(node).filter(({ type }) => type === 'for_in_clause' || type === 'if_clause')
  const made: Stmt[] = [asStatement(added(lowering, node, isMap, lower))]
  const loops = clauses.reduceRight((body, clause) => [around(lowering, clause, body, lower)], made)
  const empty: Expr = isMap ? { kind: 'map', at, entries: [] } : { kind: 'list', at, items: [] }
  const names = clauses.flatMap((clause) => namesIn(target(lowering, childByField(clause, 'left'), lower)))
  const body: Stmt[] = [
    ...[...new Set(names)].map((each) => declared(at, each, null)),
    declared(at, RESULT_NAME, empty),
    ...loops,
    { kind: 'return', at, value: nameExpr(at, RESULT_NAME) },
  ]
  return callExpr(at, { kind: 'function', at, definition: { ...NAMELESS, at, body } }, [])
}

/** Python names cannot contain `$`, so the name cannot collide. */
const RESULT_NAME = '$made'

const NAMELESS = {
  name: '',
  parameters: [],
  annotations: [],
  returnType: null,
  isExpression: false,
  isAsync: false,
  isExported: false,
  isStatic: false,
} as const

function added(lowering: LoweringContext, node: SyntaxNode, isMap: boolean, lower: LowerExpression): Expr {
  const at = rangeOf(node)
  const body = childByField(node, 'body')
  if (isMap && body) {
    const key = lower(lowering, childByField(body, 'key'))
    return assignExpr(
      at,
      { kind: 'index', at, object: nameExpr(at, RESULT_NAME), key },
      lower(lowering, childByField(body, 'value')),
    )
  }
  return callExpr(at, { kind: 'member', at, object: nameExpr(at, RESULT_NAME), property: 'append' }, [
    lower(lowering, body),
  ])
}

function around(
  lowering: LoweringContext,
  clause: SyntaxNode,
  body: readonly Stmt[],
  lower: LowerExpression,
): Stmt {
  const at = rangeOf(clause)
  if (clause.type === 'if_clause') return branch(at, lower(lowering, namedChildren(clause)[0]), body)
  const over = childrenByField(clause, 'right').map((each) => lower(lowering, each))
  return {
    kind: 'loop',
    at,
    setup: [],
    test: null,
    step: [],
    each: target(lowering, childByField(clause, 'left'), lower),
    eachKey: null,
    over: over[0] ?? literal(at, null),
    body,
  }
}

const declared = (at: Expr['at'], named: string, value: Expr | null): Stmt => ({
  kind: 'declare',
  at,
  target: nameExpr(at, named),
  type: null,
  value,
  isConstant: false,
})
