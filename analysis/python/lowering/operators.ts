// Lowers operators. `%` on a string is formatting.

import type { Expr } from '../../ir.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { callExpr, type LoweringContext, literal, rangeOf } from './context.ts'
import { concatenation, type Piece, percentPieces } from './strings.ts'

type LowerExpression = (lowering: LoweringContext, node: SyntaxNode | undefined) => Expr

export function binary(lowering: LoweringContext, node: SyntaxNode, lower: LowerExpression): Expr {
  const operator = childByField(node, 'operator')?.type ?? '+'
  const left = lower(lowering, childByField(node, 'left'))
  const right = lower(lowering, childByField(node, 'right'))
  const at = rangeOf(node)
  if (operator === '%') return percent(at, left, right)
  // Repeats a string. The count does not matter.
  if (operator === '*' && (isText(left) || isText(right))) return { kind: 'other', at, parts: [left, right] }
  // `/` also joins paths.
  if (operator === '/' && !isNumber(left) && !isNumber(right))
    return callExpr(at, { kind: 'member', at, object: left, property: '__truediv__' }, [right])
  return { kind: 'binary', at, operator, left, right }
}

/** `%` that is or may be formatting becomes a call that the model evaluates. */
export function percent(at: Expr['at'], left: Expr, right: Expr): Expr {
  if (left.kind === 'literal' && typeof left.value === 'string') {
    const pieces = percentPieces(left.value)
    if (pieces) return concatenation(at, filled(at, pieces, right))
  }
  if (isNumber(left) || isNumber(right)) return { kind: 'binary', at, operator: '%', left, right }
  return callExpr(at, { kind: 'member', at, object: left, property: '__mod__' }, [right])
}

export const boolean = (lowering: LoweringContext, node: SyntaxNode, lower: LowerExpression): Expr => ({
  kind: 'binary',
  at: rangeOf(node),
  operator: childByField(node, 'operator')?.type === 'or' ? '||' : '&&',
  left: lower(lowering, childByField(node, 'left')),
  right: lower(lowering, childByField(node, 'right')),
})

export function unary(lowering: LoweringContext, node: SyntaxNode, lower: LowerExpression): Expr {
  const operand = lower(lowering, childByField(node, 'argument'))
  const operator = node.type === 'not_operator' ? '!' : (childByField(node, 'operator')?.type ?? '-')
  if (operator === '-' && operand.kind === 'literal' && typeof operand.value === 'number')
    return literal(rangeOf(node), -operand.value)
  return { kind: 'unary', at: rangeOf(node), operator, operand }
}

/** `a < b <= c` is two comparisons. */
export function comparison(lowering: LoweringContext, node: SyntaxNode, lower: LowerExpression): Expr {
  const operands = namedChildren(node).map((part) => lower(lowering, part))
  const operators = operatorsOf(node)
  const at = rangeOf(node)
  const asked = operators.flatMap((operator, index): Expr[] => {
    const [left, right] = [operands[index], operands[index + 1]]
    return left && right ? [one(at, operator, left, right)] : []
  })
  const [first, ...rest] = asked
  if (!first) return { kind: 'other', at, parts: operands }
  return rest.reduce((left, right): Expr => ({ kind: 'binary', at, operator: '&&', left, right }), first)
}

/** A substring test becomes a method call on the string, so that guards apply to it. */
function one(at: Expr['at'], operator: string, left: Expr, right: Expr): Expr {
  const isHolding =
    (operator === 'in' || operator === 'not in') &&
    isText(left) &&
    right.kind !== 'list' &&
    right.kind !== 'map'
  if (!isHolding) return { kind: 'binary', at, operator, left, right }
  const asked = callExpr(at, { kind: 'member', at, object: right, property: '__contains__' }, [left])
  return operator === 'in' ? asked : { kind: 'unary', at, operator: '!', operand: asked }
}

const operatorsOf = (node: SyntaxNode): string[] =>
  childrenByField(node, 'operators').map(({ type }) => OPERATORS[type] ?? type)

function filled(at: Expr['at'], pieces: readonly Piece[], right: Expr): Expr[] {
  let next = 0
  const places = pieces.filter((piece) => !('text' in piece)).length
  return pieces.map((piece): Expr => {
    if ('text' in piece) return literal(at, piece.text)
    const value = piece.key === null ? itemOf(at, right, next, places) : entryOf(at, right, piece.key)
    next += 1
    return piece.isNumber ? { kind: 'cast', at, type: 'float', value } : value
  })
}

function itemOf(at: Expr['at'], right: Expr, index: number, places: number): Expr {
  if (right.kind === 'list') return right.items[index]?.value ?? literal(at, '')
  if (places === 1) return right
  return { kind: 'index', at, object: right, key: literal(at, index) }
}

function entryOf(at: Expr['at'], right: Expr, key: string): Expr {
  if (right.kind === 'map') {
    const entry = right.entries.find((each) => each.key?.kind === 'literal' && each.key.value === key)
    if (entry) return entry.value
  }
  return { kind: 'index', at, object: right, key: literal(at, key) }
}

const isText = (expr: Expr): boolean =>
  expr.kind === 'template' || (expr.kind === 'literal' && typeof expr.value === 'string')

const isNumber = (expr: Expr): boolean => expr.kind === 'literal' && typeof expr.value === 'number'

const OPERATORS: Readonly<Record<string, string>> = { is: '===', 'is not': '!==', '<>': '!=' }
