// Lowers expressions.

import type { Argument, Expr } from '../../ir.ts'
import {
  literal,
  memberExpr,
  nameExpr,
  otherExpr,
  positional,
  rangeOf,
  wrapperExpr,
} from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import {
  argumentFrom,
  argumentsOf,
  creation,
  filledBy,
  invocation,
  namedValues,
  typedMember,
} from './calls.ts'
import { childOfType, hasModifier, type LoweringContext, text } from './context.ts'
import { functionFrom } from './functions.ts'
import { interpolated, literalOf } from './literals.ts'
import { patternTest, switchExpression } from './patterns.ts'
import { queryExpression } from './queries.ts'
import { typeName } from './types.ts'

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Expr

export function expression(lowering: LoweringContext, node: SyntaxNode): Expr {
  const form = LOWERINGS[node.type]
  if (form) return form(lowering, node)
  const value = literalOf(node.type, text(lowering, node))
  return value === undefined ? other(lowering, node) : literal(rangeOf(node), value)
}

const inside: Lower = (lowering, node) => {
  const [part] = namedChildren(node)
  return part ? expression(lowering, part) : otherExpr(rangeOf(node))
}

const typeRef: Lower = (lowering, node) =>
  nameExpr(rangeOf(node), typeName(lowering, node) ?? text(lowering, node))

const listOfParts: Lower = (lowering, node) => ({
  at: rangeOf(node),
  kind: 'list',
  items: namedChildren(node).map((part) => positional(expression(lowering, part))),
})

const LOWERINGS: Readonly<Record<string, Lower>> = {
  identifier,
  this: (_, node) => nameExpr(rangeOf(node), 'this'),
  base: (_, node) => nameExpr(rangeOf(node), 'super'),
  predefined_type: (lowering, node) => nameExpr(rangeOf(node), text(lowering, node)),
  generic_name: typeRef,
  qualified_name: typeRef,
  alias_qualified_name: typeRef,
  parenthesized_expression: inside,
  checked_expression: inside,
  ref_expression: inside,
  throw_expression: (lowering, node) => otherExpr(rangeOf(node), [inside(lowering, node)]),
  interpolated_string_expression: interpolated,
  binary_expression: binary,
  prefix_unary_expression: prefix,
  unary_expression: prefix,
  postfix_unary_expression: postfix,
  assignment_expression: assignment,
  conditional_expression: (lowering, node) => ({
    at: rangeOf(node),
    kind: 'conditional',
    test: role(lowering, node, 'condition'),
    then: role(lowering, node, 'consequence'),
    otherwise: role(lowering, node, 'alternative'),
  }),
  member_access_expression: memberAccess,
  conditional_access_expression: conditionalAccess,
  element_access_expression: elementAccess,
  invocation_expression: invocation,
  object_creation_expression: creation,
  implicit_object_creation_expression: creation,
  array_creation_expression: arrayCreation,
  implicit_array_creation_expression: (lowering, node) => listIn(lowering, node),
  initializer_expression: filledBy,
  collection_expression: collection,
  anonymous_object_creation_expression: (lowering, node) => ({
    at: rangeOf(node),
    kind: 'map',
    entries: namedValues(
      lowering,
      node.children.filter(({ isNamed, type }) => isNamed || type === '='),
    ),
  }),
  with_expression: withExpression,
  tuple_expression: (lowering, node) => ({
    at: rangeOf(node),
    kind: 'list',
    items: argumentsOf(lowering, node).map((each) => ({ ...each, name: null })),
  }),
  declaration_expression: (lowering, node) => argumentFrom(lowering, { ...node, children: [node] }).value,
  lambda_expression: lambda,
  anonymous_method_expression: lambda,
  cast_expression: (lowering, node) => ({
    at: rangeOf(node),
    kind: 'cast',
    type: typeName(lowering, childByField(node, 'type')) ?? '',
    value: role(lowering, node, 'value'),
  }),
  as_expression: (lowering, node) => ({
    at: rangeOf(node),
    kind: 'cast',
    type: typeName(lowering, childByField(node, 'right')) ?? '',
    value: role(lowering, node, 'left'),
  }),
  is_expression: (lowering, node) => ({
    at: rangeOf(node),
    kind: 'binary',
    operator: 'instanceof',
    left: role(lowering, node, 'left'),
    right: nameExpr(rangeOf(node), typeName(lowering, childByField(node, 'right')) ?? ''),
  }),
  is_pattern_expression: (lowering, node) => {
    const pattern = childByField(node, 'pattern')
    const subject = role(lowering, node, 'expression')
    return pattern ? patternTest(lowering, subject, pattern) : subject
  },
  switch_expression: switchExpression,
  query_expression: queryExpression,
  await_expression: (lowering, node) => ({
    at: rangeOf(node),
    kind: 'same',
    value: inside(lowering, node),
    how: 'await',
  }),
  typeof_expression: (lowering, node) =>
    memberExpr(
      rangeOf(node),
      nameExpr(rangeOf(node), typeName(lowering, childByField(node, 'type')) ?? ''),
      'Type',
    ),
  default_expression: (_, node) => literal(rangeOf(node), null),
  expression_element: inside,
  preproc_if: inside,
}

/** Members that controllers and pages inherit, by their types. */
const INHERITED = new Map([
  ['Request', 'HttpRequest'],
  ['Response', 'HttpResponse'],
  ['HttpContext', 'HttpContext'],
])

function identifier(lowering: LoweringContext, node: SyntaxNode): Expr {
  const name = text(lowering, node)
  const at = rangeOf(node)
  if (lowering.computedProperties.has(name)) return memberExpr(at, nameExpr(at, 'this'), name)
  const type = INHERITED.get(name)
  return type === undefined ? nameExpr(at, name) : { at, kind: 'cast', type, value: nameExpr(at, name) }
}

function memberAccess(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const name = childByField(node, 'name')
  const property = memberName(lowering, name)
  const object = childByField(node, 'expression')
  // `System.IO.File`: namespaces are left out, as in type names.
  if (object && NAMESPACE.test(text(lowering, object))) return nameExpr(at, property)
  return memberOf(at, object ? expression(lowering, object) : otherExpr(at), property)
}

const NAMESPACE =
  /^(?:global::)?(?:System|Microsoft|Newtonsoft)(?:\.(?:IO|Text|Diagnostics|Net|Http|Data|SqlClient|Collections|Generic|Concurrent|Linq|Threading|Tasks|Security|Cryptography|Xml|XPath|Json|Web|Mvc|Reflection|Runtime|Serialization|Formatters|Binary|RegularExpressions|Encodings|DirectoryServices|Protocols|Compression|AspNetCore|EntityFrameworkCore|Extensions|Globalization|Sockets|Mail|Drawing|Configuration))*$/

function memberOf(at: Expr['at'], object: Expr, property: string): Expr {
  const type = INHERITED.get(property)
  return type === undefined ? memberExpr(at, object, property) : typedMember(at, object, property, type)
}

const memberName = (lowering: LoweringContext, name: SyntaxNode | undefined): string =>
  name ? text(lowering, name.type === 'generic_name' ? (namedChildren(name)[0] ?? name) : name) : ''

/** `a?.B` and `a?[0]`. */
function conditionalAccess(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const object = role(lowering, node, 'condition')
  const binding = namedChildren(node).findLast(({ type }) => /_binding_expression$/.test(type))
  if (!binding) return object
  if (binding.type === 'member_binding_expression')
    return memberOf(at, object, memberName(lowering, childByField(binding, 'name')))
  return indexOf(
    at,
    object,
    namedChildren(binding).map((part) => argumentFrom(lowering, part)),
  )
}

function elementAccess(lowering: LoweringContext, node: SyntaxNode): Expr {
  const object = role(lowering, node, 'expression')
  return indexOf(rangeOf(node), object, argumentsOf(lowering, childByField(node, 'subscript')))
}

function indexOf(at: Expr['at'], object: Expr, args: readonly Argument[]): Expr {
  const key = args[0]?.value ?? otherExpr(at)
  // `Request["id"]` searches the query, the form and the cookies.
  if (object.kind === 'cast' && object.type === 'HttpRequest') return memberExpr(at, object, 'Item')
  const isSlice = key.kind === 'other' && key.parts.length === 2
  return { at, kind: 'index', object, key, ...(isSlice && { isSlice }) }
}

function binary(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [left, right] = [role(lowering, node, 'left'), role(lowering, node, 'right')]
  const operator = text(lowering, childByField(node, 'operator') ?? node)
  const isText = operator === '+' && [left, right].some(isTextual)
  return { at: rangeOf(node), kind: 'binary', operator, left, right, ...(isText && { isText }) }
}

function isTextual(expr: Expr): boolean {
  if (expr.kind === 'literal') return typeof expr.value === 'string'
  return expr.kind === 'template' || (expr.kind === 'binary' && expr.isText === true)
}

function prefix(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const operator = node.children.find(({ isNamed }) => !isNamed)?.type ?? ''
  const operand = inside(lowering, node)
  if (operator === '++' || operator === '--') return stepped(at, operand, operator)
  if (operator === '-' && operand.kind === 'literal' && typeof operand.value === 'number')
    return literal(at, -operand.value)
  return { at, kind: 'unary', operator, operand }
}

/** `x++`, and `x!`, which has no effect. */
function postfix(lowering: LoweringContext, node: SyntaxNode): Expr {
  const operator = node.children.findLast(({ isNamed }) => !isNamed)?.type ?? ''
  const operand = inside(lowering, node)
  return operator === '!' ? wrapperExpr(rangeOf(node), operand) : stepped(rangeOf(node), operand, operator)
}

const stepped = (at: Expr['at'], target: Expr, operator: string): Expr => ({
  at,
  kind: 'assign',
  target,
  operator: operator[0] ?? '+',
  value: literal(at, 1),
})

function assignment(lowering: LoweringContext, node: SyntaxNode): Expr {
  const operator = text(lowering, childByField(node, 'operator') ?? node).slice(0, -1)
  return {
    at: rangeOf(node),
    kind: 'assign',
    target: role(lowering, node, 'left'),
    operator: operator === '' ? null : operator,
    value: role(lowering, node, 'right'),
  }
}

function arrayCreation(lowering: LoweringContext, node: SyntaxNode): Expr {
  const type = typeName(lowering, childByField(node, 'type')) ?? ''
  return { at: rangeOf(node), kind: 'cast', type, value: listIn(lowering, node) }
}

function listIn(lowering: LoweringContext, node: SyntaxNode): Expr {
  const items = childOfType(node, 'initializer_expression')
  return items ? listOfParts(lowering, items) : { at: rangeOf(node), kind: 'list', items: [] }
}

/** `[1, ..rest]` */
function collection(lowering: LoweringContext, node: SyntaxNode): Expr {
  const items = namedChildren(node).flatMap((element) => {
    const [part] = namedChildren(element)
    return part
      ? [{ name: null, isSpread: part.type === 'spread_element', value: inside(lowering, part) }]
      : []
  })
  return { at: rangeOf(node), kind: 'list', items }
}

function withExpression(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const changes = namedChildren(node).filter(({ type }) => type === 'with_initializer')
  const entries = changes.flatMap((each) =>
    namedValues(
      lowering,
      each.children.filter(({ isNamed, type }) => isNamed || type === '='),
    ),
  )
  return { at, kind: 'map', entries: [{ key: null, value: inside(lowering, node) }, ...entries] }
}

function lambda(lowering: LoweringContext, node: SyntaxNode): Expr {
  const isStatic = hasModifier(lowering, node, 'static')
  return {
    at: rangeOf(node),
    kind: 'function',
    definition: functionFrom(lowering, node, { name: '', isStatic }),
  }
}

function role(lowering: LoweringContext, node: SyntaxNode, field: string): Expr {
  const child = childByField(node, field)
  return child ? expression(lowering, child) : otherExpr(rangeOf(node))
}

const other: Lower = (lowering, node) =>
  otherExpr(
    rangeOf(node),
    namedChildren(node).map((part) => expression(lowering, part)),
  )
