// Lowers expressions.

import type { Expr } from '../../ir.ts'
import {
  conditionalExpr,
  literal,
  memberExpr,
  nameExpr,
  otherExpr,
  rangeOf,
  wrapperExpr,
} from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { arrayOf, assignmentOf, augmentedOf, updateOf } from './assignments.ts'
import {
  creationOf,
  functionCall,
  memberAccess,
  methodCall,
  staticAccess,
  staticCall,
  wordCall,
} from './calls.ts'
import { type LoweringContext, shortName, sourceOf, variableName } from './context.ts'
import { functionOf } from './functions.ts'
import { matchOf } from './match.ts'
import { commandOf, interpolatedOf, nowdocOf, quotedOf } from './strings.ts'

export function expressionOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const lower = LOWERING[node.type]
  if (lower) return lower(lowering, node)
  return otherExpr(
    rangeOf(node),
    namedChildren(node).map((part) => lowering.expression(part)),
  )
}

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Expr

const LOWERING: Readonly<Record<string, Lower>> = {
  variable_name: (lowering, node) => nameExpr(rangeOf(node), variableName(lowering, node)),
  name: constantOf,
  qualified_name: constantOf,
  relative_name: constantOf,
  relative_scope: (lowering, node) => nameExpr(rangeOf(node), shortName(lowering, node)),
  string: quotedOf,
  encapsed_string: interpolatedOf,
  heredoc: interpolatedOf,
  nowdoc: nowdocOf,
  shell_command_expression: commandOf,
  integer: numberOf,
  float: numberOf,
  boolean: (lowering, node) => literal(rangeOf(node), /^true$/i.test(sourceOf(lowering, node))),
  null: (_, node) => literal(rangeOf(node), null),
  parenthesized_expression: insideOf,
  error_suppression_expression: insideOf,
  clone_expression: insideOf,
  by_ref: insideOf,
  array_element_initializer: insideOf,
  named_type: (lowering, node) => nameExpr(rangeOf(node), shortName(lowering, node)),
  yield_expression: (lowering, node) => {
    const inside = insideOf(lowering, node)
    return inside.kind === 'same' ? { ...inside, how: 'yield' } : inside
  },
  array_creation_expression: arrayOf,
  subscript_expression: subscriptOf,
  member_access_expression: memberAccess,
  nullsafe_member_access_expression: memberAccess,
  scoped_property_access_expression: staticAccess,
  class_constant_access_expression: staticAccess,
  function_call_expression: functionCall,
  member_call_expression: methodCall,
  nullsafe_member_call_expression: methodCall,
  scoped_call_expression: staticCall,
  object_creation_expression: creationOf,
  assignment_expression: assignmentOf,
  reference_assignment_expression: assignmentOf,
  augmented_assignment_expression: augmentedOf,
  update_expression: updateOf,
  binary_expression: binaryOf,
  unary_op_expression: unaryOf,
  cast_expression: castOf,
  conditional_expression: conditionalOf,
  match_expression: matchOf,
  anonymous_function: closureOf,
  arrow_function: closureOf,
  print_intrinsic: (lowering, node) => wordCall(lowering, node, 'print'),
  include_expression: (lowering, node) => wordCall(lowering, node, 'include'),
  include_once_expression: (lowering, node) => wordCall(lowering, node, 'include_once'),
  require_expression: (lowering, node) => wordCall(lowering, node, 'require'),
  require_once_expression: (lowering, node) => wordCall(lowering, node, 'require_once'),
}

/** A built-in or user-defined constant. */
function constantOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const name = sourceOf(lowering, node)
  const at = rangeOf(node)
  if (/^(true|false)$/i.test(name)) return literal(at, /^true$/i.test(name))
  return /^null$/i.test(name) ? literal(at, null) : nameExpr(at, shortName(lowering, node))
}

function numberOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const plain = sourceOf(lowering, node).replaceAll('_', '')
  const value = Number(/^0[0-7]+$/.test(plain) ? `0o${plain.slice(1)}` : plain)
  return Number.isFinite(value) ? literal(rangeOf(node), value) : otherExpr(rangeOf(node))
}

function insideOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const inside = namedChildren(node).at(-1)
  return inside ? wrapperExpr(rangeOf(node), lowering.expression(inside)) : otherExpr(rangeOf(node))
}

/**
 * `$_SERVER['X']` and `$_FILES['f']['name']` are read by their last key, which decides whether the client
 * controls the value.
 */
function subscriptOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [object, key] = namedChildren(node)
  const at = rangeOf(node)
  if (!object) return otherExpr(at)
  const of = lowering.expression(object)
  const name = key ? keyOf(lowering, key) : null
  const base = superglobalOf(of)
  if (name !== null && base === '$_SERVER') return memberExpr(at, nameExpr(rangeOf(object), base), name)
  if (name !== null && base === '$_FILES' && FILE_PARTS.has(name))
    return memberExpr(at, nameExpr(rangeOf(object), base), name)
  if (base === '$_FILES' && of.kind === 'name') return wrapperExpr(at, of)
  return { kind: 'index', at, object: of, key: keyExpression(lowering, key, at) }
}

const FILE_PARTS = new Set(['name', 'tmp_name', 'type', 'size', 'error', 'full_path'])

function superglobalOf(expr: Expr): string | null {
  if (expr.kind === 'same') return superglobalOf(expr.value)
  return expr.kind === 'name' && expr.name.startsWith('$_') ? expr.name : null
}

/** In `"$a[key]"` the key has no quotes. */
function keyExpression(lowering: LoweringContext, key: SyntaxNode | undefined, at: Expr['at']): Expr {
  if (!key) return otherExpr(at)
  const name =
    key.type === 'name' && lowering.tree.text[key.start - 1] === '[' ? sourceOf(lowering, key) : null
  return name !== null && !/^[A-Z_]+$/.test(name) ? literal(rangeOf(key), name) : lowering.expression(key)
}

function keyOf(lowering: LoweringContext, key: SyntaxNode): string | null {
  const read = keyExpression(lowering, key, rangeOf(key))
  return read.kind === 'literal' && typeof read.value === 'string' ? read.value : null
}

function fieldOf(lowering: LoweringContext, node: SyntaxNode, field: string): Expr {
  const child = childByField(node, field)
  return child ? lowering.expression(child) : otherExpr(rangeOf(node))
}

const OPERATORS: Readonly<Record<string, string>> = {
  and: '&&',
  or: '||',
  '<>': '!=',
  AND: '&&',
  OR: '||',
}

function binaryOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const child = childByField(node, 'operator')
  const written = child ? sourceOf(lowering, child) : ''
  const sides = { left: fieldOf(lowering, node, 'left'), right: fieldOf(lowering, node, 'right') }
  const at = rangeOf(node)
  if (written === '.') return { kind: 'binary', at, operator: '+', isText: true, ...sides }
  const sum: Expr = { kind: 'binary', at, operator: OPERATORS[written] ?? written, ...sides }
  // `+` adds numbers; strings are joined with `.`.
  return written === '+' ? { kind: 'cast', at, type: 'number', value: sum } : sum
}

function unaryOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const operator = childByField(node, 'operator') ?? node.children[0]
  return {
    kind: 'unary',
    at: rangeOf(node),
    operator: operator ? sourceOf(lowering, operator) : '',
    operand: fieldOf(lowering, node, 'argument'),
  }
}

function castOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const type = childByField(node, 'type')
  return {
    kind: 'cast',
    at: rangeOf(node),
    type: type ? sourceOf(lowering, type).trim().toLowerCase() : '',
    value: fieldOf(lowering, node, 'value'),
  }
}

/** `a ?: c` returns its condition. */
function conditionalOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const test = fieldOf(lowering, node, 'condition')
  const otherwise = fieldOf(lowering, node, 'alternative')
  const then = childByField(node, 'body')
  if (!then) return { kind: 'binary', at, operator: '||', left: test, right: otherwise }
  return conditionalExpr(at, test, lowering.expression(then), otherwise)
}

function closureOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  return { kind: 'function', at: rangeOf(node), definition: functionOf(lowering, node, false) }
}
