// Declarations, assignments and returns of Go, where several values go to several names at once.

import type { Expr, Stmt } from '../ir.ts'
import { declaration, expressionStatement, listOf, literal, nameOf, other, placeOf } from '../ir-builders.ts'
import { childOf, childrenOf, partsOf, type SyntaxNode } from '../syntax/tree.ts'
import { asQuestion } from './lower-expression.ts'
import { type Reading, sourceOf } from './reading.ts'

export function shortDeclaration(reading: Reading, node: SyntaxNode): Stmt[] {
  const at = placeOf(node)
  return shared(reading, sideOf(node, 'left'), sideOf(node, 'right'), (target, value) =>
    declaration(at, target, value),
  )
}

export function assignmentOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const at = placeOf(node)
  const written = childOf(node, 'operator')
  const operator = written ? sourceOf(reading, written).slice(0, -1) : ''
  return shared(reading, sideOf(node, 'left'), sideOf(node, 'right'), (target, value) =>
    expressionStatement(at, { kind: 'assign', at, target, operator: operator || null, value }),
  )
}

export function variablesOf(reading: Reading, node: SyntaxNode): Stmt[] {
  return specsOf(node, 'var_spec').flatMap((spec) => {
    const at = placeOf(spec)
    const written = childOf(spec, 'type')
    const type = written ? sourceOf(reading, written) : null
    const names = childrenOf(spec, 'name').filter(({ isNamed }) => isNamed)
    const values = sideOf(spec, 'value')
    if (values.length === 0)
      return names.map((name) => declaration(at, reading.expression(name), zeroOf(at, type), type))
    return shared(reading, names, values, (target, value) => declaration(at, target, value, type))
  })
}

/** Only a plain `iota` is counted; what is computed from it stays unknown. */
export function constantsOf(reading: Reading, node: SyntaxNode): Stmt[] {
  let repeated: readonly SyntaxNode[] = []
  return specsOf(node, 'const_spec').flatMap((spec, count) => {
    const values = sideOf(spec, 'value')
    if (values.length > 0) repeated = values
    return childrenOf(spec, 'name')
      .filter(({ isNamed }) => isNamed)
      .map((name, index): Stmt => {
        const value = repeated[index]
        const at = placeOf(spec)
        return {
          kind: 'declare',
          at,
          target: reading.expression(name),
          type: null,
          value: value ? constantOf(reading, value, count) : null,
          isConstant: true,
        }
      })
  })
}

/** Several values are given back as a list, which the caller takes apart. */
export function returnOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const [list] = partsOf(node)
  const values = list ? partsOf(list).map((part) => reading.expression(part)) : []
  const [only] = values
  const at = placeOf(node)
  const value = values.length > 1 ? listOf(at, values) : (only ?? null)
  return [{ kind: 'return', at, value }]
}

function specsOf(node: SyntaxNode, type: string): SyntaxNode[] {
  return partsOf(node).flatMap((part) => (part.type === type ? [part] : specsOf(part, type)))
}

function sideOf(node: SyntaxNode, field: string): SyntaxNode[] {
  const side = childOf(node, field)
  if (!side) return []
  return side.type === 'expression_list' ? partsOf(side) : [side]
}

function constantOf(reading: Reading, value: SyntaxNode, count: number): Expr {
  return value.type === 'iota' ? literal(placeOf(value), count) : reading.expression(value)
}

function zeroOf(at: Expr['at'], type: string | null): Expr | null {
  if (type === 'string') return literal(at, '')
  return type?.startsWith('[]') ? listOf(at, []) : null
}

type Make = (target: Expr, value: Expr) => Stmt

function shared(
  reading: Reading,
  targets: readonly SyntaxNode[],
  values: readonly SyntaxNode[],
  make: Make,
): Stmt[] {
  const [value] = values
  const [target] = targets
  if (!value || !target) return []
  if (targets.length === 1) return [make(reading.expression(target), alone(reading, target, value))]
  const at = placeOf(target)
  if (values.length > 1) {
    const sides = [targets, values].map((side) => side.map((each) => reading.expression(each)))
    return [make(listOf(at, sides[0] ?? []), listOf(at, sides[1] ?? []))]
  }
  return PAIRS.has(value.type)
    ? pairOf(reading, targets, value, make)
    : resultsOf(reading, targets, value, make)
}

/** `v, ok := m[k]`, `v, ok := x.(T)`, `v, ok := <-c`: the second only says whether there was one. */
const PAIRS = new Set(['index_expression', 'type_assertion_expression', 'unary_expression'])

function pairOf(reading: Reading, targets: readonly SyntaxNode[], value: SyntaxNode, make: Make): Stmt[] {
  const [first, second] = targets
  const read = reading.expression(value)
  return [
    ...(first ? [make(reading.expression(first), read)] : []),
    ...(second
      ? [make(reading.expression(second), asQuestion(read.kind === 'index' ? read : other(placeOf(second))))]
      : []),
  ]
}

/** Errors and yes-or-no answers carry nothing onward, whatever the function was given. */
const ANSWERS = /^(_|ok|err|found|exists?|\w+(Err|OK|Ok))$/

/** An error tells that something went wrong, not what was passed in. */
function alone(reading: Reading, target: SyntaxNode, value: SyntaxNode): Expr {
  const read = reading.expression(value)
  const isError = value.type === 'call_expression' && /^(err|\w+Err)$/.test(sourceOf(reading, target))
  return isError ? { kind: 'unary', at: read.at, operator: 'void', operand: read } : read
}

function resultsOf(reading: Reading, targets: readonly SyntaxNode[], value: SyntaxNode, make: Make): Stmt[] {
  const at = placeOf(value)
  const isAnswer = (node: SyntaxNode) => ANSWERS.test(sourceOf(reading, node))
  const places = targets.map((target) =>
    isAnswer(target) ? nameOf(placeOf(target), '_') : reading.expression(target),
  )
  const answers = targets.filter((target) => isAnswer(target) && sourceOf(reading, target) !== '_')
  return [
    make(listOf(at, places), reading.expression(value)),
    ...answers.map((target) => make(reading.expression(target), other(placeOf(target)))),
  ]
}
