// Lowers expressions.

import type { Entry, Expr } from '../../ir.ts'
import {
  callExpr,
  literal,
  memberExpr,
  nameExpr,
  otherExpr,
  positional,
  rangeOf,
  wrapperExpr,
} from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { callExpression } from './calls.ts'
import { childOfType, hasToken, type LoweringContext, nameText, text } from './context.ts'
import { ifExpression, tryExpression, whenExpression } from './control.ts'
import { functionFrom } from './functions.ts'
import { lambdaExpr } from './lambdas.ts'
import { literalOf, stringExpr } from './strings.ts'
import { typeName, typeNodeOf } from './types.ts'

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Expr

export function expression(lowering: LoweringContext, node: SyntaxNode): Expr {
  const hoisted = withoutPrefix(node)
  if (hoisted) return unary(lowering, hoisted)
  const value = literalOf(node.type, text(lowering, node))
  if (value !== undefined) return literal(rangeOf(node), value)
  return LOWERINGS[node.type]?.(lowering, node) ?? other(lowering, node)
}

const POSTFIX = /^(?:call_expression|navigation_expression|index_expression)$/

/** The parser reads `!a.b()` as `(!a).b()`. The prefix belongs to the whole. */
function withoutPrefix(node: SyntaxNode): SyntaxNode | undefined {
  if (!POSTFIX.test(node.type)) return undefined
  const [base] = node.children
  if (!base) return undefined
  const prefixed = isPrefixed(base) ? base : withoutPrefix(base)
  const operand = prefixed && childByField(prefixed, 'argument')
  if (!prefixed || !operand) return undefined
  const inner = { ...node, start: operand.start, line: operand.line, field: 'argument' }
  const argument = { ...inner, children: [{ ...operand, field: base.field }, ...node.children.slice(1)] }
  return {
    ...prefixed,
    end: node.end,
    endLine: node.endLine,
    children: [...prefixed.children.slice(0, 1), argument],
  }
}

const isPrefixed = ({ type, children }: SyntaxNode): boolean =>
  type === 'unary_expression' && children[0]?.field === 'operator'

const inside: Lower = (lowering, node) => {
  const part = namedChildren(node).findLast(({ type }) => type !== 'annotation' && type !== 'label')
  return part ? expression(lowering, part) : otherExpr(rangeOf(node))
}

const other: Lower = (lowering, node) =>
  otherExpr(
    rangeOf(node),
    namedChildren(node)
      .filter(({ type }) => type !== 'user_type')
      .map((part) => expression(lowering, part)),
  )

const LOWERINGS: Readonly<Record<string, Lower>> = {
  identifier,
  this_expression: (lowering, node) => nameExpr(rangeOf(node), receiverName(lowering, node)),
  super_expression: (_, node) => nameExpr(rangeOf(node), 'super'),
  string_literal: stringExpr,
  multiline_string_literal: stringExpr,
  parenthesized_expression: inside,
  annotated_expression: inside,
  labeled_expression: inside,
  spread_expression: inside,
  binary_expression: binary,
  in_expression: (lowering, node) => comparison(lowering, node, hasToken(node, '!in') ? 'not in' : 'in'),
  is_expression: isExpression,
  as_expression: (lowering, node) => ({
    at: rangeOf(node),
    kind: 'cast',
    type: typeName(lowering, childByField(node, 'right')) ?? '',
    value: role(lowering, node, 'left'),
  }),
  infix_expression: infix,
  unary_expression: unary,
  navigation_expression: navigation,
  index_expression: index,
  call_expression: callExpression,
  callable_reference: (lowering, node) =>
    nameExpr(rangeOf(node), nameText(lowering, namedChildren(node).at(-1) ?? node)),
  lambda_literal: lambdaExpr,
  anonymous_function: (lowering, node) => ({
    at: rangeOf(node),
    kind: 'function',
    definition: { ...functionFrom(lowering, node), name: '' },
  }),
  collection_literal: (lowering, node) => ({
    at: rangeOf(node),
    kind: 'list',
    items: namedChildren(node).map((part) => positional(expression(lowering, part))),
  }),
  object_literal: (lowering, node) => ({
    at: rangeOf(node),
    kind: 'call',
    callee: { at: rangeOf(node), kind: 'class', definition: lowering.visit.classFrom(lowering, node) },
    args: [],
    isNew: true,
  }),
  if_expression: ifExpression,
  when_expression: whenExpression,
  try_expression: tryExpression,
}

function identifier(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const name = nameText(lowering, node)
  if (lowering.computedProperties.has(name)) return memberExpr(at, nameExpr(at, 'this'), name)
  const { receiver, declaredNames } = lowering
  const isMember =
    receiver !== null && /^[a-z]/.test(name) && !declaredNames.has(name) && !IMPLICIT_NAMES.test(name)
  return isMember ? memberExpr(at, nameExpr(at, receiver), name) : nameExpr(at, name)
}

/** The parameter of a lambda, the call of a Ktor handler, and packages. */
const IMPLICIT_NAMES = /^(?:it|call|field|context|environment|java|javax|kotlin|org|com|io|android|androidx)$/

const receiverName = (lowering: LoweringContext, node: SyntaxNode): string =>
  lowering.receiver !== null && text(lowering, node) === 'this' ? lowering.receiver : 'this'

function binary(lowering: LoweringContext, node: SyntaxNode): Expr {
  const operator = text(lowering, childByField(node, 'operator') ?? node)
  const made = comparison(lowering, node, operator === '?:' ? '??' : operator)
  const isText = made.kind === 'binary' && operator === '+' && [made.left, made.right].some(isTextual)
  return isText ? { ...made, isText } : made
}

const comparison = (lowering: LoweringContext, node: SyntaxNode, operator: string): Expr => ({
  at: rangeOf(node),
  kind: 'binary',
  operator,
  left: role(lowering, node, 'left'),
  right: role(lowering, node, 'right'),
})

function isTextual(expr: Expr): boolean {
  if (expr.kind === 'literal') return typeof expr.value === 'string'
  return expr.kind === 'template' || (expr.kind === 'binary' && expr.isText === true)
}

function isExpression(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const right = nameExpr(at, typeName(lowering, childByField(node, 'right') ?? typeNodeOf(node)) ?? '')
  const test: Expr = { at, kind: 'binary', operator: 'instanceof', left: role(lowering, node, 'left'), right }
  return hasToken(node, '!is') ? { at, kind: 'unary', operator: '!', operand: test } : test
}

/** `a to b` is a pair. Other infix functions are methods. */
function infix(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const [left, name, right] = namedChildren(node)
  if (!left || !name) return otherExpr(at)
  const property = nameText(lowering, name)
  const values = [left, ...(right ? [right] : [])].map((part) => expression(lowering, part))
  const [first, second] = values
  if (!first || !second) return otherExpr(at, values)
  if (property === 'to')
    return { at, kind: 'map', entries: [entry(at, 'first', first), entry(at, 'second', second)] }
  if (/^(?:until|downTo|step|and|or|xor|shl|shr|ushr)$/.test(property)) return otherExpr(at, values)
  return callExpr(at, memberExpr(at, first, property), [positional(second)])
}

const entry = (at: Expr['at'], name: string, value: Expr): Entry => ({ key: literal(at, name), value })

function unary(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const operator = text(lowering, childByField(node, 'operator') ?? node)
  const operand = role(lowering, node, 'argument')
  if (operator === '!!') return wrapperExpr(at, operand)
  if (operator === '++' || operator === '--')
    return { at, kind: 'assign', target: operand, operator: operator[0] ?? '+', value: literal(at, 1) }
  if (operator === '-' && operand.kind === 'literal' && typeof operand.value === 'number')
    return literal(at, -operand.value)
  return { at, kind: 'unary', operator, operand }
}

function navigation(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const [object, ...rest] = namedChildren(node)
  const property = rest.at(-1)
  if (!object || !property) return object ? expression(lowering, object) : otherExpr(at)
  return memberExpr(at, expression(lowering, object), nameText(lowering, property))
}

function index(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [object, key] = namedChildren(node)
  const at = rangeOf(node)
  if (!object || !key) return otherExpr(at)
  return { at, kind: 'index', object: expression(lowering, object), key: expression(lowering, key) }
}

function role(lowering: LoweringContext, node: SyntaxNode, field: string): Expr {
  const child = childByField(node, field)
  return child ? expression(lowering, child) : otherExpr(rangeOf(node))
}

export const isComputedProperty = (node: SyntaxNode): boolean =>
  node.type === 'property_declaration' && childOfType(node, 'getter') !== undefined
