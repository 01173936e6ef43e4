// Lowers assignments and their targets.

import type { Expr, Stmt } from '../../ir.ts'
import {
  expressionStatement,
  memberExpr,
  nameExpr,
  otherExpr,
  positional,
  rangeOf,
} from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, localExpr, sourceOf } from './context.ts'
import { endingWith } from './tails.ts'

/** The values of these are statements: `x = if a then b else c end`. */
const BRANCHING = new Set(['if', 'unless', 'case', 'case_match', 'begin', 'if_modifier', 'unless_modifier'])

export function assignmentStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [left, right] = [childByField(node, 'left'), childByField(node, 'right')]
  const at = rangeOf(node)
  if (left && right && BRANCHING.has(right.type)) {
    const body = lowering.statements(lowering, [right])
    const target = targetOf(lowering, left)
    return endingWith(body, (value) =>
      expressionStatement(at, { kind: 'assign', at, target, operator: null, value }),
    )
  }
  if (left?.type === 'constant' && right)
    return [
      {
        kind: 'declare',
        at,
        target: nameExpr(rangeOf(left), sourceOf(lowering, left)),
        type: null,
        value: lowering.expression(lowering, right),
        isConstant: true,
      },
    ]
  return [expressionStatement(at, assignmentOf(lowering, node))]
}

export function assignmentOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [left, right] = [childByField(node, 'left'), childByField(node, 'right')]
  const at = rangeOf(node)
  const value = right ? resultOf(lowering, right) : otherExpr(at)
  return {
    kind: 'assign',
    at,
    target: left ? targetOf(lowering, left) : otherExpr(at),
    operator: null,
    value,
  }
}

function resultOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  if (node.type !== 'right_assignment_list') return lowering.expression(lowering, node)
  return { kind: 'list', at: rangeOf(node), items: namedChildren(node).map((part) => itemOf(lowering, part)) }
}

function itemOf(lowering: LoweringContext, part: SyntaxNode) {
  const [inside] = part.type === 'splat_argument' ? namedChildren(part) : []
  return inside
    ? { name: null, isSpread: true, value: lowering.expression(lowering, inside) }
    : positional(lowering.expression(lowering, part))
}

export function augmentedOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [left, operator, right] = ['left', 'operator', 'right'].map((field) => childByField(node, field))
  const at = rangeOf(node)
  return {
    kind: 'assign',
    at,
    target: left ? targetOf(lowering, left) : otherExpr(at),
    operator: operator ? sourceOf(lowering, operator).slice(0, -1) : '+',
    value: right ? lowering.expression(lowering, right) : otherExpr(at),
  }
}

/** A variable, an attribute, an element or a list of them. */
export function targetOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  switch (node.type) {
    case 'identifier':
      return localExpr(lowering, node, sourceOf(lowering, node))
    case 'constant':
      return nameExpr(at, sourceOf(lowering, node))
    case 'call': {
      const [receiver, method] = [childByField(node, 'receiver'), childByField(node, 'method')]
      return receiver && method
        ? memberExpr(at, lowering.expression(lowering, receiver), sourceOf(lowering, method))
        : otherExpr(at)
    }
    case 'left_assignment_list':
    case 'destructured_left_assignment':
      return { kind: 'list', at, items: namedChildren(node).map((part) => targetItem(lowering, part)) }
    case 'rest_assignment': {
      const [inside] = namedChildren(node)
      return { kind: 'rest', at, target: inside ? targetOf(lowering, inside) : otherExpr(at) }
    }
    default:
      return lowering.expression(lowering, node)
  }
}

function targetItem(lowering: LoweringContext, part: SyntaxNode) {
  const value = targetOf(lowering, part)
  return { name: null, isSpread: value.kind === 'rest', value }
}
