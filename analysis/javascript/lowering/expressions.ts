// Lowers expressions. Unsupported ones become `other` with their parts, so that nested calls are still
// evaluated.

import type { Entry, Expr, ExprOf } from '../../ir.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import {
  isClassNode,
  isFunctionNode,
  type LoweringContext,
  literal,
  nameExpr,
  otherExpr,
  rangeOf,
  sourceOf,
} from './context.ts'
import { argument, argumentsOf, lowerClass, lowerFunction } from './functions.ts'
import { asMembershipTest } from './index-comparisons.ts'
import { lowerElement } from './jsx.ts'
import { lowerTemplate, numberOf, stringOf } from './literals.ts'
import { requireExpr } from './modules.ts'
import { keyOf, lowerTarget } from './patterns.ts'

export function lowerExpression(lowering: LoweringContext, node: SyntaxNode, name = ''): Expr {
  if (isFunctionNode(node)) {
    return { kind: 'function', at: rangeOf(node), definition: lowerFunction(lowering, node, name) }
  }
  if (isClassNode(node)) {
    return { kind: 'class', at: rangeOf(node), definition: lowerClass(lowering, node, name) }
  }
  const lower = LOWERINGS.get(node.type)
  if (lower) return lower(lowering, node, name)
  return otherExpr(
    node,
    namedChildren(node).map((part) => lowering.expression(part)),
  )
}

type Lower = (lowering: LoweringContext, node: SyntaxNode, name: string) => Expr

const wrapped: Lower = (lowering, node, name) => inner(lowering, node, 'wrap', name)

const LOWERINGS: ReadonlyMap<string, Lower> = new Map<string, Lower>([
  ['string', (lowering, node) => literal(node, stringOf(lowering, node))],
  ['number', (lowering, node) => literal(node, numberOf(sourceOf(lowering, node)))],
  ['true', (_, node) => literal(node, true)],
  ['false', (_, node) => literal(node, false)],
  ['null', (_, node) => literal(node, null)],
  ['undefined', (_, node) => literal(node, null)],
  ['identifier', named],
  ['shorthand_property_identifier', named],
  ['this', named],
  ['super', named],
  ['regex', regex],
  ['template_string', (lowering, node) => lowerTemplate(lowering, node, null)],
  ['member_expression', member],
  ['subscript_expression', subscript],
  ['call_expression', call],
  ['new_expression', construct],
  ['binary_expression', binary],
  ['unary_expression', unary],
  ['update_expression', update],
  ['ternary_expression', conditional],
  ['assignment_expression', assign],
  ['augmented_assignment_expression', assign],
  ['array', array],
  ['object', (lowering, node) => ({ kind: 'map', at: rangeOf(node), entries: entries(lowering, node) })],
  ['sequence_expression', sequence],
  ['parenthesized_expression', wrapped],
  ['as_expression', wrapped],
  ['satisfies_expression', wrapped],
  ['non_null_expression', wrapped],
  ['instantiation_expression', wrapped],
  ['type_assertion', assertion],
  ['spread_element', wrapped],
  ['await_expression', (lowering, node) => inner(lowering, node, 'await')],
  ['yield_expression', (lowering, node) => inner(lowering, node, 'yield')],
  ['jsx_element', lowerElement],
  ['jsx_self_closing_element', lowerElement],
  ['jsx_fragment', lowerElement],
  ['jsx_expression', wrapped],
])

function named(lowering: LoweringContext, node: SyntaxNode): Expr {
  const name = sourceOf(lowering, node)
  return name === 'undefined' ? literal(node, null) : nameExpr(node, name)
}

function regex(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [pattern, flags] = [childByField(node, 'pattern'), childByField(node, 'flags')]
  const expr: Expr & ExprOf<'regex'> = {
    kind: 'regex',
    at: rangeOf(node),
    source: pattern ? sourceOf(lowering, pattern) : '',
    flags: flags ? sourceOf(lowering, flags) : '',
  }
  lowering.regexes.push(expr)
  return expr
}

function member(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [object, property] = [childByField(node, 'object'), childByField(node, 'property')]
  if (!object || !property) return otherExpr(node, [])
  const lowered = lowering.expression(object)
  const name = sourceOf(lowering, property)
  const isModule = lowered.kind === 'name' && lowering.modules.has(lowered.name)
  // Compilers emit `fs_1.default.readFile` for `fs.readFile`.
  if (name === 'default' && isModule) return lowered
  return { kind: 'member', at: rangeOf(node), object: lowered, property: name }
}

function subscript(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [object, index] = [childByField(node, 'object'), childByField(node, 'index')]
  if (!object || !index) return otherExpr(node, [])
  const [lowered, key] = [lowering.expression(object), lowering.expression(index)]
  return { kind: 'index', at: rangeOf(node), object: lowered, key }
}

function call(lowering: LoweringContext, node: SyntaxNode): Expr {
  const required = requireExpr(lowering, node)
  if (required) return required
  const [callee, args] = [childByField(node, 'function'), childByField(node, 'arguments')]
  if (!callee) return otherExpr(node, [])
  if (args?.type === 'template_string') return lowerTemplate(lowering, args, lowering.expression(callee))
  return withoutBind({
    kind: 'call',
    at: rangeOf(node),
    callee: lowering.expression(callee),
    args: argumentsOf(lowering, args),
    isNew: false,
  })
}

/** `run.bind(self)(a, b)` is `run.call(self, a, b)`. */
function withoutBind(call: ExprOf<'call'> & Expr): Expr {
  const { callee } = call
  if (callee.kind !== 'call' || callee.callee.kind !== 'member' || callee.callee.property !== 'bind')
    return call
  return {
    ...call,
    callee: { ...callee.callee, property: 'call' },
    args: [...callee.args, ...call.args],
  }
}

function construct(lowering: LoweringContext, node: SyntaxNode): Expr {
  const callee = childByField(node, 'constructor')
  if (!callee) return otherExpr(node, [])
  return {
    kind: 'call',
    at: rangeOf(node),
    callee: lowering.expression(callee),
    args: argumentsOf(lowering, childByField(node, 'arguments')),
    isNew: true,
  }
}

function binary(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [left, right, operator] = [
    childByField(node, 'left'),
    childByField(node, 'right'),
    childByField(node, 'operator'),
  ]
  if (!left || !right || !operator) return otherExpr(node, [])
  return asMembershipTest({
    kind: 'binary',
    at: rangeOf(node),
    operator: operator.type,
    left: lowering.expression(left),
    right: lowering.expression(right),
  })
}

function unary(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [operator, operand] = [childByField(node, 'operator'), childByField(node, 'argument')]
  if (!operator || !operand) return otherExpr(node, [])
  if (operator.type === 'void' && operand.type === 'number') return literal(node, null)
  return { kind: 'unary', at: rangeOf(node), operator: operator.type, operand: lowering.expression(operand) }
}

function update(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [operator, operand] = [childByField(node, 'operator'), childByField(node, 'argument')]
  if (!operator || !operand) return otherExpr(node, [])
  const target = lowerTarget(lowering, operand)
  return {
    kind: 'assign',
    at: rangeOf(node),
    target,
    operator: operator.type.charAt(0),
    value: literal(operator, 1),
  }
}

function conditional(lowering: LoweringContext, node: SyntaxNode, name: string): Expr {
  const [testNode, thenNode, otherwiseNode] = [
    childByField(node, 'condition'),
    childByField(node, 'consequence'),
    childByField(node, 'alternative'),
  ]
  if (!testNode || !thenNode || !otherwiseNode) return otherExpr(node, [])
  const [test, then] = [lowering.expression(testNode), lowering.expression(thenNode, name)]
  return {
    kind: 'conditional',
    at: rangeOf(node),
    test,
    then,
    otherwise: lowering.expression(otherwiseNode, name),
  }
}

function assign(lowering: LoweringContext, node: SyntaxNode, outer: string): Expr {
  const [left, right, operator] = [
    childByField(node, 'left'),
    childByField(node, 'right'),
    childByField(node, 'operator'),
  ]
  if (!left || !right) return otherExpr(node, [])
  const target = lowerTarget(lowering, left)
  const name = target.kind === 'name' ? target.name : target.kind === 'member' ? target.property : ''
  return {
    kind: 'assign',
    at: rangeOf(node),
    target,
    operator: operator && operator.type !== '=' ? operator.type.slice(0, -1) : null,
    // `var merge = module.exports = function …`: the function is known by its first name.
    value: lowering.expression(right, outer === '' ? name : outer),
  }
}

function array(lowering: LoweringContext, node: SyntaxNode): Expr {
  const items = namedChildren(node).map((part) => argument(lowering, part))
  return { kind: 'list', at: rangeOf(node), items }
}

function entries(lowering: LoweringContext, node: SyntaxNode): Entry[] {
  return namedChildren(node).flatMap((part): Entry[] => {
    switch (part.type) {
      case 'pair': {
        const [key, value] = [childByField(part, 'key'), childByField(part, 'value')]
        if (!key || !value) return []
        const lowered = keyOf(lowering, key)
        const name = lowered.kind === 'literal' ? String(lowered.value) : ''
        return [{ key: lowered, value: lowering.expression(value, name) }]
      }
      case 'shorthand_property_identifier':
        return [{ key: literal(part, sourceOf(lowering, part)), value: named(lowering, part) }]
      case 'method_definition': {
        const key = childByField(part, 'name')
        return key ? [{ key: keyOf(lowering, key), value: lowering.expression(part) }] : []
      }
      case 'spread_element': {
        const spread = namedChildren(part)[0]
        return spread ? [{ key: null, value: lowering.expression(spread) }] : []
      }
      default:
        return []
    }
  })
}

/** Compilers emit `(0, fs.readFile)(…)` to call a function without its module as `this`. */
function sequence(lowering: LoweringContext, node: SyntaxNode): Expr {
  const parts = namedChildren(node)
  const last = parts.at(-1)
  const isIdle = parts.slice(0, -1).every(({ type }) => type === 'number')
  if (last && isIdle) return lowering.expression(last)
  return otherExpr(
    node,
    parts.map((part) => lowering.expression(part)),
  )
}

/** `<Type>value`: the value is the last child. */
function assertion(lowering: LoweringContext, node: SyntaxNode): Expr {
  const value = namedChildren(node).at(-1)
  return value ? lowering.expression(value) : otherExpr(node, [])
}

/** A parenthesized function keeps the name it is assigned to. */
function inner(
  lowering: LoweringContext,
  node: SyntaxNode,
  how: 'await' | 'yield' | 'wrap',
  name = '',
): Expr {
  const part = namedChildren(node)[0]
  if (!part) return otherExpr(node, [])
  const value = lowering.expression(part, name)
  return how === 'wrap' ? value : { kind: 'same', at: rangeOf(node), value, how }
}
