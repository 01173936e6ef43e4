// Lowers expressions.

import type { Argument, Expr, Stmt } from '../../ir.ts'
import { positional } from '../../ir-builders.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { withoutJakarta } from '../library-classes.ts'
import {
  dottedExpr,
  type LoweringContext,
  memberExpr,
  nameExpr,
  rangeOf,
  text,
  withScope,
} from './context.ts'
import { functionFrom } from './functions.ts'
import { literalOf } from './literals.ts'
import { builderReceiver, equality, matchesCall } from './method-calls.ts'
import {
  classExpr,
  classNameIn,
  isOwnClass,
  isVariableOrField,
  methodExpr,
  typeName,
  variableExpr,
} from './names.ts'

export function expression(lowering: LoweringContext, node: SyntaxNode): Expr {
  const literal = literalOf(node.type, text(lowering, node))
  if (literal !== undefined) return { at: rangeOf(node), kind: 'literal', value: literal }
  return LOWERINGS[node.type]?.(lowering, node) ?? other(lowering, node, namedChildren(node))
}

export function argumentsOf(lowering: LoweringContext, node: SyntaxNode | undefined): Argument[] {
  return node ? namedChildren(node).map((part) => positional(expression(lowering, part))) : []
}

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Expr

const LOWERINGS: Readonly<Record<string, Lower>> = {
  identifier: (lowering, node) => variableExpr(lowering, node, text(lowering, node)),
  this: (_, node) => nameExpr(node, 'this'),
  super: (_, node) => nameExpr(node, 'super'),
  type_identifier: (lowering, node) => classExpr(lowering, node),
  scoped_type_identifier: (lowering, node) => classExpr(lowering, node),
  generic_type: (lowering, node) => classExpr(lowering, node),
  parenthesized_expression: inside,
  condition: inside,
  binary_expression: binary,
  unary_expression: unary,
  update_expression: update,
  assignment_expression: assignment,
  ternary_expression: ternary,
  field_access: fieldAccess,
  array_access: arrayAccess,
  method_invocation: invocation,
  object_creation_expression: creation,
  array_creation_expression: arrayCreation,
  array_initializer: list,
  element_value_array_initializer: list,
  lambda_expression: lambda,
  method_reference: methodReference,
  cast_expression: cast,
  instanceof_expression: instanceOf,
  class_literal: classLiteral,
  switch_expression: (lowering, node) => lowering.visit.switchExpression(lowering, node),
}

function inside(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [part] = namedChildren(node)
  return part ? expression(lowering, part) : other(lowering, node, [])
}

function binary(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [left, right] = [role(lowering, node, 'left'), role(lowering, node, 'right')]
  const operator = operatorOf(lowering, node)
  const at = rangeOf(node)
  const whole = operator === '/' ? wholeQuotient(left, right) : undefined
  if (whole !== undefined) return { at, kind: 'literal', value: whole }
  const isText = operator === '+' && [left, right].some(isTextual)
  return { at, kind: 'binary', operator, left, right, ...(isText && { isText }) }
}

/** Integer division truncates. */
function wholeQuotient(left: Expr, right: Expr): number | undefined {
  const values = [left, right].map((each) => (each.kind === 'literal' ? each.value : null))
  const [above, below] = values
  const areWhole = Number.isInteger(above) && Number.isInteger(below) && below !== 0
  return areWhole ? Math.trunc(Number(above) / Number(below)) : undefined
}

function isTextual(expr: Expr): boolean {
  if (expr.kind === 'literal') return typeof expr.value === 'string'
  return expr.kind === 'binary' && expr.isText === true
}

function unary(lowering: LoweringContext, node: SyntaxNode): Expr {
  const operand = role(lowering, node, 'operand')
  const operator = operatorOf(lowering, node)
  if (operand.kind === 'literal' && typeof operand.value === 'number' && operator === '-')
    return { at: rangeOf(node), kind: 'literal', value: -operand.value }
  return { at: rangeOf(node), kind: 'unary', operator, operand }
}

function update(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const operator = node.children.find(({ isNamed }) => !isNamed)?.type === '--' ? '-' : '+'
  return {
    at,
    kind: 'assign',
    target: inside(lowering, node),
    operator,
    value: { at, kind: 'literal', value: 1 },
  }
}

function assignment(lowering: LoweringContext, node: SyntaxNode): Expr {
  const operator = operatorOf(lowering, node).slice(0, -1)
  return {
    at: rangeOf(node),
    kind: 'assign',
    target: role(lowering, node, 'left'),
    operator: operator === '' ? null : operator,
    value: role(lowering, node, 'right'),
  }
}

function ternary(lowering: LoweringContext, node: SyntaxNode): Expr {
  return {
    at: rangeOf(node),
    kind: 'conditional',
    test: role(lowering, node, 'condition'),
    then: role(lowering, node, 'consequence'),
    otherwise: role(lowering, node, 'alternative'),
  }
}

function fieldAccess(lowering: LoweringContext, node: SyntaxNode): Expr {
  const field = childByField(node, 'field')
  const property = field ? text(lowering, field) : ''
  // `Outer.this` is the enclosing instance.
  if (field?.type === 'this') return role(lowering, node, 'object')
  if (/^[A-Z]\w*[a-z]/.test(property) && isOwnClass(lowering, classNameIn(lowering, property)))
    return nameExpr(node, classNameIn(lowering, property))
  return packageClass(lowering, node) ?? memberExpr(node, role(lowering, node, 'object'), property)
}

/** `java.util.List`: a qualified class name, unless the first segment is a variable of this file. */
function packageClass(lowering: LoweringContext, node: SyntaxNode): Expr | undefined {
  const written = text(lowering, node).replace(/\s/g, '')
  if (!/^[a-z]\w*(\.[a-z]\w*)*\.[A-Z]\w*$/.test(written)) return undefined
  const [head = ''] = written.split('.')
  return isVariableOrField(lowering, head) ? undefined : dottedExpr(node, withoutJakarta(written))
}

function arrayAccess(lowering: LoweringContext, node: SyntaxNode): Expr {
  return {
    at: rangeOf(node),
    kind: 'index',
    object: role(lowering, node, 'array'),
    key: role(lowering, node, 'index'),
  }
}

function invocation(lowering: LoweringContext, node: SyntaxNode): Expr {
  const name = text(lowering, childByField(node, 'name') ?? node)
  const object = childByField(node, 'object')
  const args = argumentsOf(lowering, childByField(node, 'arguments'))
  const receiver = object && builderReceiver(lowering, expression(lowering, object))
  const at = rangeOf(node)
  const calleePlace = { ...at, ...endOf(childByField(node, 'name') ?? node) }
  return (
    equality(lowering, node, name, receiver, args) ??
    matchesCall(at, name, receiver, args) ?? {
      at,
      kind: 'call',
      callee: receiver ? memberExpr(calleePlace, receiver, name) : methodExpr(lowering, calleePlace, name),
      args,
      isNew: false,
    }
  )
}

const endOf = ({ end, endLine }: SyntaxNode) => ({ end, endLine })

function creation(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const type = childByField(node, 'type')
  const body = node.children.find((child) => child.type === 'class_body')
  const base = type ? classExpr(lowering, type) : other(lowering, node, [])
  const callee: Expr = body
    ? { at, kind: 'class', definition: lowering.visit.classFrom(lowering, node, '') }
    : base
  return {
    at,
    kind: 'call',
    callee,
    args: argumentsOf(lowering, childByField(node, 'arguments')),
    isNew: true,
  }
}

function arrayCreation(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const items = childByField(node, 'value')
  const ranks = childrenByField(node, 'dimensions').flatMap(({ children }) =>
    children.filter(({ type }) => type === '['),
  )
  const type = `${typeName(lowering, childByField(node, 'type')) ?? ''}${'[]'.repeat(ranks.length)}`
  const value: Expr = items ? list(lowering, items) : { at, kind: 'list', items: [] }
  return { at, kind: 'cast', type, value }
}

function list(lowering: LoweringContext, node: SyntaxNode): Expr {
  return { at: rangeOf(node), kind: 'list', items: argumentsOf(lowering, node) }
}

function lambda(lowering: LoweringContext, node: SyntaxNode): Expr {
  const body = childByField(node, 'body')
  const definition = functionFrom(lowering, node, {
    name: '',
    isStatic: lowering.scope.isStatic,
    isExported: false,
    isExpression: body?.type !== 'block',
    body: (inner) => lambdaBody(inner, body),
  })
  return { at: rangeOf(node), kind: 'function', definition }
}

function lambdaBody(inner: LoweringContext, body: SyntaxNode | undefined): Stmt[] {
  if (!body) return []
  if (body.type === 'block') return inner.visit.statements(inner, namedChildren(body))
  return [{ at: rangeOf(body), kind: 'return', value: expression(inner, body) }]
}

function methodReference(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [object, name] = namedChildren(node)
  const property = name ? text(lowering, name) : 'new'
  return object ? memberExpr(node, expression(lowering, object), property) : other(lowering, node, [])
}

function cast(lowering: LoweringContext, node: SyntaxNode): Expr {
  const type = typeName(lowering, childByField(node, 'type')) ?? ''
  return { at: rangeOf(node), kind: 'cast', type, value: role(lowering, node, 'value') }
}

/** `o instanceof String s` also declares `s`, an alias of `o` for the rest of the statement. */
function instanceOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const type = childByField(node, 'right')
  const name = childByField(node, 'name')
  const value = role(lowering, node, 'left')
  const left = name && type ? bound(lowering, name, type, value) : value
  const pattern = childByField(node, 'pattern')
  for (const part of pattern ? boundIn(pattern) : []) bind(lowering, part)
  const right = type ? classExpr(lowering, type) : other(lowering, node, [])
  return { at, kind: 'binary', operator: 'instanceof', left, right }
}

function bound(lowering: LoweringContext, name: SyntaxNode, type: SyntaxNode, value: Expr): Expr {
  bind(lowering, name)
  const at = rangeOf(name)
  const held: Expr = { at, kind: 'cast', type: typeName(lowering, type) ?? '', value }
  return { at, kind: 'assign', target: nameExpr(at, text(lowering, name)), operator: null, value: held }
}

function bind(lowering: LoweringContext, name: SyntaxNode): void {
  const written = text(lowering, name)
  lowering.scope.variables.set(written, null)
  lowering.patternVariables.push({ name: written, at: rangeOf(name) })
}

const boundIn = (pattern: SyntaxNode): SyntaxNode[] =>
  pattern.type === 'record_pattern_component'
    ? namedChildren(pattern).slice(-1)
    : namedChildren(pattern).flatMap((part) => boundIn(part))

function classLiteral(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [type] = namedChildren(node)
  return type ? memberExpr(node, classExpr(lowering, type), 'class') : other(lowering, node, [])
}

function role(lowering: LoweringContext, node: SyntaxNode, field: string): Expr {
  const child = childByField(node, field)
  return child ? expression(lowering, child) : other(lowering, node, [])
}

const operatorOf = (lowering: LoweringContext, node: SyntaxNode): string =>
  text(lowering, childByField(node, 'operator') ?? node)

function other(lowering: LoweringContext, node: SyntaxNode, parts: readonly SyntaxNode[]): Expr {
  const inner = withScope(lowering)
  return { at: rangeOf(node), kind: 'other', parts: parts.map((part) => expression(inner, part)) }
}
