// Lowers expressions.

import type { Expr } from '../../ir.ts'
import {
  callExpr,
  conditionalExpr,
  literal,
  memberExpr,
  nameExpr,
  otherExpr,
  positional,
  rangeOf,
  wrapperExpr,
} from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { assignmentOf, augmentedOf } from './assignments.ts'
import { callOf, superOf, yieldOf } from './calls.ts'
import { entriesOf, itemsOf, matchExpr } from './collections.ts'
import { type LoweringContext, localExpr, sourceOf, variableOrCall } from './context.ts'
import { bodyExpr } from './statements.ts'
import { chainedOf, heredocOf, regexOf, stringOf, subshellOf, wordsOf } from './strings.ts'

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Expr

export function expressionOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const lower = LOWERING[node.type]
  if (lower) return lower(lowering, node)
  return otherExpr(
    rangeOf(node),
    namedChildren(node).map((part) => expressionOf(lowering, part)),
  )
}

const constant =
  (value: string | number | boolean | null): Lower =>
  (_, node) =>
    literal(rangeOf(node), value)

/** Instance and class variables are fields of the object. */
const field: Lower = (lowering, node) => {
  const at = rangeOf(node)
  return memberExpr(at, nameExpr(at, 'this'), sourceOf(lowering, node).replace(/^@+/, ''))
}

const inner = (lowering: LoweringContext, node: SyntaxNode, name: string): Expr => {
  const part = childByField(node, name)
  return part ? expressionOf(lowering, part) : literal(rangeOf(node), null)
}

const number: Lower = (lowering, node) => {
  const value = Number(sourceOf(lowering, node).replaceAll('_', ''))
  return Number.isFinite(value) ? literal(rangeOf(node), value) : otherExpr(rangeOf(node))
}

const LOWERING: Readonly<Record<string, Lower>> = {
  identifier: (lowering, node) => {
    const name = sourceOf(lowering, node)
    return name.startsWith('__') ? otherExpr(rangeOf(node)) : variableOrCall(lowering, node, name)
  },
  constant: (lowering, node) => nameExpr(rangeOf(node), sourceOf(lowering, node)),
  instance_variable: field,
  class_variable: field,
  global_variable: (lowering, node) => nameExpr(rangeOf(node), sourceOf(lowering, node)),
  self: (_, node) => nameExpr(rangeOf(node), 'this'),
  super: superOf,
  scope_resolution: (lowering, node) => {
    const [scope, name] = [childByField(node, 'scope'), childByField(node, 'name')]
    const at = rangeOf(node)
    if (!name) return otherExpr(at)
    const written = sourceOf(lowering, name)
    return scope ? memberExpr(at, expressionOf(lowering, scope), written) : nameExpr(at, written)
  },
  string: stringOf,
  bare_string: stringOf,
  delimited_symbol: stringOf,
  chained_string: chainedOf,
  heredoc_beginning: heredocOf,
  string_array: wordsOf,
  symbol_array: wordsOf,
  regex: regexOf,
  subshell: subshellOf,
  simple_symbol: (lowering, node) => literal(rangeOf(node), sourceOf(lowering, node).slice(1)),
  character: (lowering, node) => literal(rangeOf(node), sourceOf(lowering, node).slice(1)),
  integer: number,
  float: number,
  nil: constant(null),
  true: constant(true),
  false: constant(false),
  array: (lowering, node) => ({ kind: 'list', at: rangeOf(node), items: itemsOf(lowering, node) }),
  hash: mapOf,
  element_reference: elementOf,
  call: callOf,
  yield: yieldOf,
  lambda: (lowering, node) => ({
    kind: 'function',
    at: rangeOf(node),
    definition: lowering.block(lowering, node),
  }),
  assignment: assignmentOf,
  operator_assignment: augmentedOf,
  binary: binaryOf,
  unary: unaryOf,
  conditional: (lowering, node) =>
    conditionalExpr(
      rangeOf(node),
      inner(lowering, node, 'condition'),
      inner(lowering, node, 'consequence'),
      inner(lowering, node, 'alternative'),
    ),
  if: (lowering, node) => branchOf(lowering, node, false),
  elsif: (lowering, node) => branchOf(lowering, node, false),
  unless: (lowering, node) => branchOf(lowering, node, true),
  if_modifier: (lowering, node) => modifierOf(lowering, node, false),
  unless_modifier: (lowering, node) => modifierOf(lowering, node, true),
  rescue_modifier: (lowering, node) =>
    conditionalExpr(
      rangeOf(node),
      otherExpr(rangeOf(node)),
      inner(lowering, node, 'body'),
      inner(lowering, node, 'handler'),
    ),
  parenthesized_statements: parenthesized,
  begin: bodyExpr,
  then: bodyExpr,
  else: bodyExpr,
  case: bodyExpr,
  case_match: bodyExpr,
  pattern: parenthesized,
  test_pattern: (lowering, node) => otherExpr(rangeOf(node), [inner(lowering, node, 'value')]),
  splat_argument: parenthesized,
  block_argument: parenthesized,
  exception_variable: (lowering, node) => localExpr(lowering, node, sourceOf(lowering, node)),
}

function parenthesized(lowering: LoweringContext, node: SyntaxNode): Expr {
  const parts = namedChildren(node)
  const [only] = parts
  if (only && parts.length === 1) return wrapperExpr(rangeOf(node), expressionOf(lowering, only))
  return otherExpr(
    rangeOf(node),
    parts.map((part) => expressionOf(lowering, part)),
  )
}

function branchOf(lowering: LoweringContext, node: SyntaxNode, isNegated: boolean): Expr {
  const test = inner(lowering, node, 'condition')
  const [then, otherwise] = [inner(lowering, node, 'consequence'), inner(lowering, node, 'alternative')]
  return isNegated
    ? conditionalExpr(rangeOf(node), test, otherwise, then)
    : conditionalExpr(rangeOf(node), test, then, otherwise)
}

function modifierOf(lowering: LoweringContext, node: SyntaxNode, isNegated: boolean): Expr {
  const at = rangeOf(node)
  const [test, value] = [inner(lowering, node, 'condition'), inner(lowering, node, 'body')]
  const nothing = literal(at, null)
  return isNegated ? conditionalExpr(at, test, nothing, value) : conditionalExpr(at, test, value, nothing)
}

function mapOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  return { kind: 'map', at: rangeOf(node), entries: entriesOf(lowering, namedChildren(node)) }
}

function elementOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const [object, key, ...more] = namedChildren(node)
  const of = object ? expressionOf(lowering, object) : otherExpr(at)
  if (!key) return callExpr(at, memberExpr(at, of, '[]'), [])
  const isSlice = more.length > 0 || key.type === 'range'
  return {
    kind: 'index',
    at,
    object: of,
    key: expressionOf(lowering, key),
    ...(isSlice && { isSlice: true }),
  }
}

const OPERATORS: Readonly<Record<string, string>> = { and: '&&', or: '||', eql: '==' }

function binaryOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [one, sign, other] = ['left', 'operator', 'right'].map((field) => childByField(node, field))
  const at = rangeOf(node)
  if (!one || !sign || !other) return otherExpr(at)
  const [left, right] = [expressionOf(lowering, one), expressionOf(lowering, other)]
  const written = sourceOf(lowering, sign)
  if (written === '=~' || written === '!~') {
    const match = matchExpr(at, left, right)
    return written === '=~' ? match : { kind: 'unary', at, operator: '!', operand: match }
  }
  if (written === '===')
    return left.kind === 'regex' ? matchExpr(at, left, right) : compare(at, '==', left, right)
  if (written === '<<') return callExpr(at, memberExpr(at, left, '<<'), [positional(right)])
  if (written === '%' && (left.kind === 'template' || typeof valueIn(left) === 'string'))
    return callExpr(at, nameExpr(at, 'format'), [
      positional(left),
      ...(right.kind === 'list' ? right.items : [positional(right)]),
    ])
  return compare(at, OPERATORS[written] ?? written, left, right)
}

const valueIn = (expr: Expr): unknown => (expr.kind === 'literal' ? expr.value : undefined)

const compare = (at: Expr['at'], operator: string, left: Expr, right: Expr): Expr => ({
  kind: 'binary',
  at,
  operator,
  left,
  right,
})

function unaryOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [sign, operand] = [childByField(node, 'operator'), childByField(node, 'operand')]
  const at = rangeOf(node)
  if (!sign || !operand) return otherExpr(at)
  const written = sourceOf(lowering, sign)
  if (written === 'defined?') return otherExpr(at)
  return {
    kind: 'unary',
    at,
    operator: written === 'not' ? '!' : written,
    operand: expressionOf(lowering, operand),
  }
}
