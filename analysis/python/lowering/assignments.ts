// Lowers assignments and other expression statements.

import type { Expr, Stmt } from '../../ir.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { asStatement, assignExpr, type LoweringContext, otherExpr, rangeOf, sourceOf } from './context.ts'
import { expression } from './expressions.ts'
import { percent } from './operators.ts'
import { target, typeText } from './variables.ts'

export function expressionStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const parts = namedChildren(node)
  const [only] = parts
  if (parts.length !== 1 || !only)
    return [
      asStatement(
        otherExpr(
          rangeOf(node),
          parts.map((part) => expression(lowering, part)),
        ),
      ),
    ]
  if (only.type === 'assignment') return assignment(lowering, only)
  if (only.type === 'augmented_assignment') return [asStatement(augmented(lowering, only))]
  const value = expression(lowering, only)
  return neverReturns(lowering, only) ? [{ kind: 'throw', at: rangeOf(node), value }] : [asStatement(value)]
}

/** Functions that never return: they raise or exit the process. */
function neverReturns(lowering: LoweringContext, node: SyntaxNode): boolean {
  const callee = node.type === 'call' ? childByField(node, 'function') : undefined
  return (
    callee !== undefined &&
    /^(?:(?:flask\.|bottle\.)?abort|(?:sys\.)?exit|quit|os\._exit|os\.abort)$/.test(
      sourceOf(lowering, callee),
    )
  )
}

/** `a = b = c` assigns c to both. */
function assignment(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const left = target(lowering, childByField(node, 'left'), expression)
  const right = childByField(node, 'right')
  const type = childByField(node, 'type')
  const at = rangeOf(node)
  if (!right) return []
  if (right.type === 'assignment') {
    const inner = assignment(lowering, right)
    const again = target(lowering, childByField(right, 'left'), expression)
    return [...inner, asStatement(assignExpr(at, left, again))]
  }
  const value = expression(lowering, right)
  if (type && left.kind === 'name')
    return [
      {
        kind: 'declare',
        at,
        target: left,
        type: typeText(sourceOf(lowering, type)),
        value,
        isConstant: false,
      },
    ]
  return [asStatement(assignExpr(at, left, value))]
}

function augmented(lowering: LoweringContext, node: SyntaxNode): Expr {
  const left = target(lowering, childByField(node, 'left'), expression)
  const right = expression(lowering, childByField(node, 'right'))
  const operator = (childByField(node, 'operator')?.type ?? '+=').slice(0, -1)
  if (operator === '%') return assignExpr(rangeOf(node), left, percent(rangeOf(node), left, right))
  return assignExpr(rangeOf(node), left, right, operator)
}
