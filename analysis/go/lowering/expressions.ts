// Lowers expressions.

import type { Argument, Expr, ExprOf } from '../../ir.ts'
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
import { compositeOf, emptyOf } from './composite-literals.ts'
import { type LoweringContext, numberValue, sourceOf, stringValue } from './context.ts'
import { functionOf } from './functions.ts'

export function expressionOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const lower = LOWERING[node.type]
  return lower ? lower(lowering, node) : otherExpr(rangeOf(node), insideOf(lowering, node))
}

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Expr

const LOWERING: Readonly<Record<string, Lower>> = {
  identifier: (lowering, node) => nameExpr(rangeOf(node), sourceOf(lowering, node)),
  package_identifier: (lowering, node) => nameExpr(rangeOf(node), sourceOf(lowering, node)),
  blank_identifier: (_, node) => nameExpr(rangeOf(node), '_'),
  interpreted_string_literal: (lowering, node) =>
    literal(rangeOf(node), stringValue(sourceOf(lowering, node))),
  raw_string_literal: (lowering, node) => literal(rangeOf(node), stringValue(sourceOf(lowering, node))),
  rune_literal: (lowering, node) => literal(rangeOf(node), stringValue(sourceOf(lowering, node))),
  int_literal: numberOf,
  float_literal: numberOf,
  true: (_, node) => literal(rangeOf(node), true),
  false: (_, node) => literal(rangeOf(node), false),
  nil: (_, node) => literal(rangeOf(node), null),
  parenthesized_expression: insideWrapped,
  selector_expression: selectorOf,
  index_expression: indexOf,
  slice_expression: sliceOf,
  call_expression: callExpression,
  type_conversion_expression: castOf,
  type_assertion_expression: castOf,
  unary_expression: unaryOf,
  binary_expression: binaryOf,
  composite_literal: compositeOf,
  func_literal: (lowering, node) => ({
    kind: 'function',
    at: rangeOf(node),
    definition: functionOf(lowering, node, false),
  }),
  type_instantiation_expression: insideWrapped,
  variadic_argument: insideWrapped,
  literal_element: insideWrapped,
}

function numberOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const value = numberValue(sourceOf(lowering, node))
  return value === null ? otherExpr(rangeOf(node)) : literal(rangeOf(node), value)
}

function insideOf(lowering: LoweringContext, node: SyntaxNode): Expr[] {
  return namedChildren(node)
    .filter(({ type }) => !type.endsWith('_type') && type !== 'type_identifier')
    .map((part) => lowering.expression(part))
}

function insideWrapped(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [inside] = namedChildren(node)
  return inside ? wrapperExpr(rangeOf(node), lowering.expression(inside)) : otherExpr(rangeOf(node))
}

function fieldOf(lowering: LoweringContext, node: SyntaxNode, field: string): Expr {
  const child = childByField(node, field)
  return child ? lowering.expression(child) : otherExpr(rangeOf(node))
}

function selectorOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const field = childByField(node, 'field')
  return memberExpr(rangeOf(node), fieldOf(lowering, node, 'operand'), field ? sourceOf(lowering, field) : '')
}

function indexOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  return {
    kind: 'index',
    at: rangeOf(node),
    object: fieldOf(lowering, node, 'operand'),
    key: fieldOf(lowering, node, 'index'),
  }
}

function sliceOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const bounds = ['start', 'end', 'capacity'].flatMap((field) => childByField(node, field) ?? [])
  return {
    kind: 'index',
    at: rangeOf(node),
    object: fieldOf(lowering, node, 'operand'),
    key: otherExpr(
      rangeOf(node),
      bounds.map((bound) => lowering.expression(bound)),
    ),
    isSlice: true,
  }
}

const TEXT_TYPE = /^(string|any|\[\](byte|rune)|interface ?\{\}|json\.RawMessage)$/

function callExpression(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const callee = childByField(node, 'function')
  const list = childByField(node, 'arguments')
  const parts = list ? namedChildren(list) : []
  const name = callee ? sourceOf(lowering, callee) : ''
  const [first] = parts
  if (callee?.type === 'identifier' && first) {
    // Strings and byte slices are treated alike. Number conversions stay calls that rules can see.
    if (TEXT_TYPE.test(name) && parts.length === 1) return wrapperExpr(at, lowering.expression(first))
    if (name === 'make' || name === 'new') return emptyOf(lowering, node, first, parts.slice(1))
  }
  const args = parts.map((part): Argument => {
    const value = lowering.expression(part)
    return part.type === 'variadic_argument' ? { name: null, isSpread: true, value } : positional(value)
  })
  const call = callExpr(at, callee ? lowering.expression(callee) : otherExpr(at), args)
  return decodeAssignment(lowering, call, parts)
}

/** Functions that decode into a pointer argument. */
const DECODERS =
  /^(Decode(Element)?|Unmarshal(JSON|Strict|Text)?|(Should|Must)?Bind(JSON|Query|Uri|URI|Form|Header|XML|YAML|With|Body)?|BodyParser|QueryParser|ParamsParser|ReadJSON)$/

/** `d.Decode(&x)` becomes `x = d.Decode(x)`, so that `x` holds the decoded value. */
function decodeAssignment(
  lowering: LoweringContext,
  call: ExprOf<'call'> & Expr,
  parts: readonly SyntaxNode[],
): Expr {
  const { callee, args, at } = call
  const method = callee.kind === 'member' ? callee.property : ''
  if (!DECODERS.test(method)) return call
  const index = parts.findLastIndex((part) => /^&?[\w.]+$/.test(sourceOf(lowering, part)))
  const target = args[index]?.value
  const written = parts[index] ? sourceOf(lowering, parts[index]) : ''
  // A single argument is the target. With two, the second is the target.
  if (!target || !(written.startsWith('&') || /^(Decode|Unmarshal)/.test(method))) return call
  if (method.startsWith('Unmarshal') && index === 0) return call
  return { kind: 'assign', at, target: unwrapped(target), operator: null, value: call }
}

const unwrapped = (expr: Expr): Expr => (expr.kind === 'same' ? unwrapped(expr.value) : expr)

/** `[]byte(x)`, `x.(string)`. */
function castOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const written = childByField(node, 'type')
  const type = written ? sourceOf(lowering, written) : ''
  const value = fieldOf(lowering, node, 'operand')
  return TEXT_TYPE.test(type)
    ? wrapperExpr(rangeOf(node), value)
    : { kind: 'cast', at: rangeOf(node), type, value }
}

function unaryOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const written = childByField(node, 'operator')
  const operator = written ? sourceOf(lowering, written) : ''
  const operand = fieldOf(lowering, node, 'operand')
  // A pointer is treated as its target, a channel as its value.
  if (operator === '&' || operator === '*' || operator === '<-') return wrapperExpr(rangeOf(node), operand)
  return {
    kind: 'unary',
    at: rangeOf(node),
    operator,
    operand: operator === '!' ? asMembershipTest(operand) : operand,
  }
}

/** In a boolean position, `allowed[x]` is a membership test. */
export const asMembershipTest = (expr: Expr): Expr =>
  expr.kind === 'index' && !expr.isSlice
    ? { kind: 'binary', at: expr.at, operator: 'in', left: expr.key, right: expr.object }
    : expr

function binaryOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const operator = childByField(node, 'operator')
  const written = operator ? sourceOf(lowering, operator) : ''
  const isLogic = written === '&&' || written === '||'
  const [left, right] = ['left', 'right'].map((field) => {
    const side = fieldOf(lowering, node, field)
    return isLogic ? asMembershipTest(side) : side
  })
  const at = rangeOf(node)
  if (!left || !right) return otherExpr(at)
  return { kind: 'binary', at, operator: IDENTITY[written] ?? written, left, right }
}

/** Go compares only values of the same type, so its equality is strict. */
const IDENTITY: Readonly<Record<string, string>> = { '==': '===', '!=': '!==' }
