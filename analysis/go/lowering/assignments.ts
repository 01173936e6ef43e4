// Lowers declarations, assignments and returns with several values.

import type { Expr, Stmt } from '../../ir.ts'
import {
  declaration,
  expressionStatement,
  listExpr,
  literal,
  nameExpr,
  otherExpr,
  rangeOf,
} from '../../ir-builders.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, sourceOf } from './context.ts'
import { asMembershipTest } from './expressions.ts'

export function shortDeclaration(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  return assignEach(lowering, sideOf(node, 'left'), sideOf(node, 'right'), (target, value) =>
    declaration(at, target, value),
  )
}

export function assignmentOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const written = childByField(node, 'operator')
  const operator = written ? sourceOf(lowering, written).slice(0, -1) : ''
  return assignEach(lowering, sideOf(node, 'left'), sideOf(node, 'right'), (target, value) =>
    expressionStatement(at, { kind: 'assign', at, target, operator: operator || null, value }),
  )
}

export function variablesOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  return specsOf(node, 'var_spec').flatMap((spec) => {
    const at = rangeOf(spec)
    const written = childByField(spec, 'type')
    const type = written ? sourceOf(lowering, written) : null
    const names = childrenByField(spec, 'name').filter(({ isNamed }) => isNamed)
    const values = sideOf(spec, 'value')
    if (values.length === 0)
      return names.map((name) => declaration(at, lowering.expression(name), zeroOf(at, type), type))
    return assignEach(lowering, names, values, (target, value) => declaration(at, target, value, type))
  })
}

/** Only a plain `iota` is counted. Expressions with it are unknown. */
export function constantsOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  let repeated: readonly SyntaxNode[] = []
  return specsOf(node, 'const_spec').flatMap((spec, count) => {
    const values = sideOf(spec, 'value')
    if (values.length > 0) repeated = values
    return childrenByField(spec, 'name')
      .filter(({ isNamed }) => isNamed)
      .map((name, index): Stmt => {
        const value = repeated[index]
        const at = rangeOf(spec)
        return {
          kind: 'declare',
          at,
          target: lowering.expression(name),
          type: null,
          value: value ? constantOf(lowering, value, count) : null,
          isConstant: true,
        }
      })
  })
}

/** Several results are returned as a list, which the caller destructures. */
export function returnOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [list] = namedChildren(node)
  const values = list ? namedChildren(list).map((part) => lowering.expression(part)) : []
  const [only] = values
  const at = rangeOf(node)
  const value = values.length > 1 ? listExpr(at, values) : (only ?? null)
  return [{ kind: 'return', at, value }]
}

function specsOf(node: SyntaxNode, type: string): SyntaxNode[] {
  return namedChildren(node).flatMap((part) => (part.type === type ? [part] : specsOf(part, type)))
}

function sideOf(node: SyntaxNode, field: string): SyntaxNode[] {
  const side = childByField(node, field)
  if (!side) return []
  return side.type === 'expression_list' ? namedChildren(side) : [side]
}

function constantOf(lowering: LoweringContext, value: SyntaxNode, count: number): Expr {
  return value.type === 'iota' ? literal(rangeOf(value), count) : lowering.expression(value)
}

function zeroOf(at: Expr['at'], type: string | null): Expr | null {
  if (type === 'string') return literal(at, '')
  return type?.startsWith('[]') ? listExpr(at, []) : null
}

type Make = (target: Expr, value: Expr) => Stmt

function assignEach(
  lowering: LoweringContext,
  targets: readonly SyntaxNode[],
  values: readonly SyntaxNode[],
  make: Make,
): Stmt[] {
  const [value] = values
  const [target] = targets
  if (!value || !target) return []
  if (targets.length === 1) return [make(lowering.expression(target), singleResult(lowering, target, value))]
  const at = rangeOf(target)
  if (values.length > 1) {
    const sides = [targets, values].map((side) => side.map((each) => lowering.expression(each)))
    return [make(listExpr(at, sides[0] ?? []), listExpr(at, sides[1] ?? []))]
  }
  return PAIRS.has(value.type)
    ? pairOf(lowering, targets, value, make)
    : resultsOf(lowering, targets, value, make)
}

/** `v, ok := m[k]`, `v, ok := x.(T)`, `v, ok := <-c`: the second value is a boolean. */
const PAIRS = new Set(['index_expression', 'type_assertion_expression', 'unary_expression'])

function pairOf(
  lowering: LoweringContext,
  targets: readonly SyntaxNode[],
  value: SyntaxNode,
  make: Make,
): Stmt[] {
  const [first, second] = targets
  const read = lowering.expression(value)
  return [
    ...(first ? [make(lowering.expression(first), read)] : []),
    ...(second
      ? [
          make(
            lowering.expression(second),
            asMembershipTest(read.kind === 'index' ? read : otherExpr(rangeOf(second))),
          ),
        ]
      : []),
  ]
}

/** Errors and booleans do not propagate taint. */
const UNTAINTED_RESULTS = /^(_|ok|err|found|exists?|\w+(Err|OK|Ok))$/

/** An error does not carry the arguments of the function. */
function singleResult(lowering: LoweringContext, target: SyntaxNode, value: SyntaxNode): Expr {
  const read = lowering.expression(value)
  const isError = value.type === 'call_expression' && /^(err|\w+Err)$/.test(sourceOf(lowering, target))
  return isError ? { kind: 'unary', at: read.at, operator: 'void', operand: read } : read
}

function resultsOf(
  lowering: LoweringContext,
  targets: readonly SyntaxNode[],
  value: SyntaxNode,
  make: Make,
): Stmt[] {
  const at = rangeOf(value)
  const isAnswer = (node: SyntaxNode) => UNTAINTED_RESULTS.test(sourceOf(lowering, node))
  const places = targets.map((target) =>
    isAnswer(target) ? nameExpr(rangeOf(target), '_') : lowering.expression(target),
  )
  const answers = targets.filter((target) => isAnswer(target) && sourceOf(lowering, target) !== '_')
  return [
    make(listExpr(at, places), lowering.expression(value)),
    ...answers.map((target) => make(lowering.expression(target), otherExpr(rangeOf(target)))),
  ]
}
