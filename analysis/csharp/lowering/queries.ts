// Lowers LINQ queries: `from x in list where … select …` becomes `list.map(x => …)`.

import type { Expr, FunctionDefinition, Stmt } from '../../ir.ts'
import {
  callExpr,
  declaration,
  expressionStatement,
  memberExpr,
  nameExpr,
  otherExpr,
  positional,
  rangeOf,
} from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, text } from './context.ts'

export function queryExpression(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const [first, ...rest] = namedChildren(node)
  const from = first && source(lowering, first)
  if (!from) return otherExpr(at)
  const body = rest.flatMap((clause) => clauseOf(lowering, clause))
  const definition: FunctionDefinition = {
    at,
    name: '',
    parameters: [{ target: from.variable, default: null, type: null, isRest: false, annotations: [] }],
    body,
    annotations: [],
    returnType: null,
    isExpression: false,
    isAsync: false,
    isExported: false,
    isStatic: false,
  }
  const mapped = memberExpr(at, from.over, 'map')
  return callExpr(at, mapped, [positional({ at, kind: 'function', definition })])
}

function source(lowering: LoweringContext, clause: SyntaxNode): { variable: Expr; over: Expr } | undefined {
  const name = childByField(clause, 'name') ?? namedChildren(clause)[0]
  const over = namedChildren(clause).findLast((part) => part !== name)
  if (!name || !over) return undefined
  return {
    variable: nameExpr(rangeOf(name), text(lowering, name)),
    over: lowering.visit.expression(lowering, over),
  }
}

function clauseOf(lowering: LoweringContext, clause: SyntaxNode): Stmt[] {
  const at = rangeOf(clause)
  const parts = namedChildren(clause)
  switch (clause.type) {
    case 'from_clause':
    case 'join_clause':
      return anyItem(lowering, clause)
    case 'let_clause': {
      const [name, value] = parts
      return name && value
        ? [
            declaration(
              at,
              nameExpr(rangeOf(name), text(lowering, name)),
              lowering.visit.expression(lowering, value),
            ),
          ]
        : []
    }
    case 'select_clause':
    case 'group_clause': {
      const [value] = parts
      return value ? [{ at, kind: 'return', value: lowering.visit.expression(lowering, value) }] : []
    }
    default:
      return parts.map((part) => expressionStatement(at, lowering.visit.expression(lowering, part)))
  }
}

/** A further variable is any item of its list. */
function anyItem(lowering: LoweringContext, clause: SyntaxNode): Stmt[] {
  const at = rangeOf(clause)
  const [name, over] = namedChildren(clause).filter(({ field }) => field !== 'type')
  if (!name || !over) return []
  const object = lowering.visit.expression(lowering, over)
  return [
    declaration(at, nameExpr(rangeOf(name), text(lowering, name)), {
      at,
      kind: 'index',
      object,
      key: otherExpr(at),
    }),
  ]
}
