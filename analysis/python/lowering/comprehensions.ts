// Lowers a comprehension to an immediately called function that fills a list or map in a loop.

import type { Expr, Stmt } from '../../ir.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { asStatement, assign, branch, call, type Lowering, literal, name, placeOf } from './context.ts'
import { namesIn, target } from './targets.ts'

type LowerExpression = (from: Lowering, node: SyntaxNode | undefined) => Expr

export function comprehension(from: Lowering, node: SyntaxNode, lower: LowerExpression): Expr {
  const at = placeOf(node)
  const isMap = node.type === 'dictionary_comprehension'
  const clauses = namedChildren(node).filter(({ type }) => type === 'for_in_clause' || type === 'if_clause')
  const made: Stmt[] = [asStatement(added(from, node, isMap, lower))]
  const loops = clauses.reduceRight((body, clause) => [around(from, clause, body, lower)], made)
  const empty: Expr = isMap ? { kind: 'map', at, entries: [] } : { kind: 'list', at, items: [] }
  const names = clauses.flatMap((clause) => namesIn(target(from, childByField(clause, 'left'), lower)))
  const body: Stmt[] = [
    ...[...new Set(names)].map((each) => declared(at, each, null)),
    declared(at, MADE, empty),
    ...loops,
    { kind: 'return', at, value: name(at, MADE) },
  ]
  return call(at, { kind: 'function', at, definition: { ...NAMELESS, at, body } }, [])
}

/** Python names cannot contain `$`, so the name cannot collide. */
const MADE = '$made'

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

function added(from: Lowering, node: SyntaxNode, isMap: boolean, lower: LowerExpression): Expr {
  const at = placeOf(node)
  const body = childByField(node, 'body')
  if (isMap && body) {
    const key = lower(from, childByField(body, 'key'))
    return assign(
      at,
      { kind: 'index', at, object: name(at, MADE), key },
      lower(from, childByField(body, 'value')),
    )
  }
  return call(at, { kind: 'member', at, object: name(at, MADE), property: 'append' }, [lower(from, body)])
}

function around(from: Lowering, clause: SyntaxNode, body: readonly Stmt[], lower: LowerExpression): Stmt {
  const at = placeOf(clause)
  if (clause.type === 'if_clause') return branch(at, lower(from, namedChildren(clause)[0]), body)
  const over = childrenByField(clause, 'right').map((each) => lower(from, each))
  return {
    kind: 'loop',
    at,
    setup: [],
    test: null,
    step: [],
    each: target(from, childByField(clause, 'left'), lower),
    eachKey: null,
    over: over[0] ?? literal(at, null),
    body,
  }
}

const declared = (at: Expr['at'], named: string, value: Expr | null): Stmt => ({
  kind: 'declare',
  at,
  target: name(at, named),
  type: null,
  value,
  isConstant: false,
})
