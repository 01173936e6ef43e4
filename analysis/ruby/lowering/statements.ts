// Lowers statements.

import type { Expr, Stmt } from '../../ir.ts'
import { branch, expressionStatement, literal, nameExpr, otherExpr, rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { assignmentStatement } from './assignments.ts'
import { caseMatchOf, caseOf } from './cases.ts'
import { classOf, isDefinition } from './classes.ts'
import { type LoweringContext, localExpr, sourceOf } from './context.ts'
import { methodOf } from './functions.ts'
import { isResponse } from './tails.ts'

export const statementsOf = (lowering: LoweringContext, nodes: readonly SyntaxNode[]): Stmt[] =>
  nodes.flatMap((node) => statementOf(lowering, node))

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Stmt[]

function statementOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const lower = LOWERING[node.type]
  if (lower) return lower(lowering, node)
  if (IGNORED.has(node.type)) return []
  return expressionOf(lowering, node)
}

const IGNORED = new Set([
  'heredoc_body',
  'empty_statement',
  'alias',
  'undef',
  'uninterpreted',
  'comment',
  'redo',
  'retry',
])

const inner: Lower = (lowering, node) => statementsOf(lowering, namedChildren(node))

const LOWERING: Readonly<Record<string, Lower>> = {
  body_statement: rescuedOf,
  begin: rescuedOf,
  block_body: inner,
  then: inner,
  do: inner,
  else: inner,
  ensure: inner,
  begin_block: inner,
  end_block: inner,
  if: (lowering, node) => [ifOf(lowering, node, false)],
  unless: (lowering, node) => [ifOf(lowering, node, true)],
  if_modifier: (lowering, node) => [modifierOf(lowering, node, false)],
  unless_modifier: (lowering, node) => [modifierOf(lowering, node, true)],
  while: (lowering, node) => [loopOf(lowering, node, false)],
  until: (lowering, node) => [loopOf(lowering, node, true)],
  while_modifier: (lowering, node) => [loopOf(lowering, node, false)],
  until_modifier: (lowering, node) => [loopOf(lowering, node, true)],
  for: forOf,
  case: (lowering, node) => [caseOf(lowering, node)],
  case_match: (lowering, node) => [caseMatchOf(lowering, node)],
  return: returnOf,
  next: (lowering, node) => jumpOf(lowering, node, 'continue'),
  break: (lowering, node) => jumpOf(lowering, node, 'break'),
  method: definitionOf,
  singleton_method: definitionOf,
  class: classOf,
  module: classOf,
  singleton_class: (lowering, node) => {
    const body = childByField(node, 'body')
    return body ? statementsOf(lowering, namedChildren(body)) : []
  },
  assignment: assignmentStatement,
  binary: binaryStatement,
  call: callStatement,
  parenthesized_statements: inner,
}

function definitionOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const isStatic = node.type === 'singleton_method'
  const definition = methodOf(lowering, node, { isStatic, isExported: true })
  return [{ kind: 'function', at: rangeOf(node), definition }]
}

/** `return head(:forbidden)` */
function returnOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const value = resultOf(lowering, node)
  return value && isResponse(value)
    ? [expressionStatement(at, value), { kind: 'return', at, value: null }]
    : [{ kind: 'return', at, value }]
}

function jumpOf(lowering: LoweringContext, node: SyntaxNode, kind: 'continue' | 'break'): Stmt[] {
  const at = rangeOf(node)
  return lowering.isInBlock ? [{ kind: 'return', at, value: resultOf(lowering, node) }] : [{ kind, at }]
}

/** The value of `return a` or `return a, b`. */
function resultOf(lowering: LoweringContext, node: SyntaxNode): Expr | null {
  const list = namedChildren(node)[0]
  const values = (list ? namedChildren(list) : []).map((part) => lowering.expression(lowering, part))
  const [only] = values
  if (!only || values.length === 1) return only ?? null
  return {
    kind: 'list',
    at: rangeOf(node),
    items: values.map((value) => ({ name: null, isSpread: false, value })),
  }
}

const negated = (test: Expr): Expr => ({ kind: 'unary', at: test.at, operator: '!', operand: test })

function testOf(lowering: LoweringContext, node: SyntaxNode, isNegated: boolean): Expr {
  const condition = childByField(node, 'condition')
  const test = condition ? lowering.expression(lowering, condition) : otherExpr(rangeOf(node))
  return isNegated ? negated(test) : test
}

function ifOf(lowering: LoweringContext, node: SyntaxNode, isNegated: boolean): Stmt {
  const test = testOf(lowering, node, isNegated)
  const [then, otherwise] = [childByField(node, 'consequence'), childByField(node, 'alternative')]
  const rest = otherwise?.type === 'elsif' ? [ifOf(lowering, otherwise, false)] : bodyOf(lowering, otherwise)
  return branch(rangeOf(node), test, bodyOf(lowering, then), rest)
}

const bodyOf = (lowering: LoweringContext, node: SyntaxNode | undefined): Stmt[] =>
  node ? statementsOf(lowering, [node]) : []

function modifierOf(lowering: LoweringContext, node: SyntaxNode, isNegated: boolean): Stmt {
  const test = testOf(lowering, node, isNegated)
  return branch(rangeOf(node), test, bodyOf(lowering, childByField(node, 'body')), [])
}

function loopOf(outer: LoweringContext, node: SyntaxNode, isNegated: boolean): Stmt {
  const lowering = { ...outer, isInBlock: false }
  return {
    kind: 'loop',
    at: rangeOf(node),
    setup: [],
    test: testOf(lowering, node, isNegated),
    step: [],
    each: null,
    eachKey: null,
    over: null,
    body: bodyOf(lowering, childByField(node, 'body')),
  }
}

function forOf(outer: LoweringContext, node: SyntaxNode): Stmt[] {
  const lowering = { ...outer, isInBlock: false }
  const [pattern, value] = [childByField(node, 'pattern'), childByField(node, 'value')]
  const over = value && namedChildren(value)[0]
  const names = pattern?.type === 'left_assignment_list' ? namedChildren(pattern) : pattern ? [pattern] : []
  const targets = names.map((part) => localExpr(lowering, part, sourceOf(lowering, part)))
  const each = targets.at(-1) ?? null
  return [
    {
      kind: 'loop',
      at: rangeOf(node),
      setup: [],
      test: null,
      step: [],
      each,
      eachKey: targets.length > 1 ? (targets[0] ?? null) : null,
      over: over ? lowering.expression(lowering, over) : null,
      body: bodyOf(lowering, childByField(node, 'body')),
    },
  ]
}

/** A body with `rescue`, `else` and `ensure`. */
function rescuedOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const parts = namedChildren(node)
  const rescues = parts.filter(({ type }) => type === 'rescue')
  const last = parts.find(({ type }) => type === 'ensure')
  const plain = parts.filter(({ type }) => type !== 'rescue' && type !== 'ensure' && type !== 'else')
  const otherwise = parts.find(({ type }) => type === 'else')
  const body = [...statementsOf(lowering, plain), ...bodyOf(lowering, otherwise)]
  if (rescues.length === 0 && !last) return body
  const handlers = rescues.map((each) => {
    const variable = childByField(each, 'variable')
    const name = variable && namedChildren(variable)[0]
    return {
      target: name?.type === 'identifier' ? localExpr(lowering, name, sourceOf(lowering, name)) : null,
      body: bodyOf(lowering, childByField(each, 'body')),
    }
  })
  return [{ kind: 'try', at: rangeOf(node), body, handlers, finalizer: bodyOf(lowering, last) }]
}

/** `redirect_to(x) and return`, `valid? or raise`. */
function binaryStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const operator = childByField(node, 'operator')
  const sign = operator ? sourceOf(lowering, operator) : ''
  const [left, right] = [childByField(node, 'left'), childByField(node, 'right')]
  if (!left || !right || !/^(?:and|or|&&|\|\|)$/.test(sign)) return expressionOf(lowering, node)
  const written = sourceOf(lowering, right)
  if (!isDefinition(right) && !/^(?:return|raise|next|break|halt|abort|exit)\b/.test(written))
    return expressionOf(lowering, node)
  const at = rangeOf(node)
  const test = lowering.expression(lowering, left)
  const then = statementsOf(lowering, [right])
  if (/^(?:and|&&)$/.test(sign)) {
    // A call that renders or redirects is always followed by its `return`.
    const isRendering = /^(?:render|redirect_to|redirect_back|head|redirect)\b/.test(sourceOf(lowering, left))
    return isRendering ? [expressionStatement(at, test), ...then] : [branch(at, test, then, [])]
  }
  return [branch(at, test, [], then)]
}

/** Calls after which execution does not continue. */
const ENDS = /^(?:raise|fail|throw|halt|abort|exit|exit!)$/

function callStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const method = childByField(node, 'method')
  const at = rangeOf(node)
  const name = method && !childByField(node, 'receiver') ? sourceOf(lowering, method) : ''
  const [first] = namedChildren(childByField(node, 'arguments') ?? { ...node, children: [] })
  if (/^(?:require|require_relative|load)$/.test(name) && first?.type === 'string') {
    const path = lowering.expression(lowering, first)
    const module = path.kind === 'literal' ? String(path.value) : ''
    return module === '' ? [] : [{ kind: 'import', at, module, imported: null, local: '*' }]
  }
  // `private def …`
  if (first && isDefinition(first) && /^[a-z_]+$/.test(name)) return statementsOf(lowering, [first])
  if (!ENDS.test(name)) return expressionOf(lowering, node)
  return [expressionStatement(at, lowering.expression(lowering, node)), { kind: 'throw', at, value: null }]
}

function expressionOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  if (node.type === 'identifier' && ENDS.test(sourceOf(lowering, node)))
    return [
      expressionStatement(at, {
        kind: 'call',
        at,
        callee: nameExpr(at, sourceOf(lowering, node)),
        args: [],
        isNew: false,
      }),
      { kind: 'throw', at, value: null },
    ]
  return [expressionStatement(at, lowering.expression(lowering, node))]
}

/** Statements where an expression is expected: a function that is called at once. */
export function bodyExpr(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const body = statementsOf(lowering, [node])
  const [only] = body
  if (!only) return literal(at, null)
  if (body.length === 1 && only.kind === 'expression') return only.value
  return { kind: 'other', at, parts: body.flatMap(valuesIn) }
}

function valuesIn(stmt: Stmt): Expr[] {
  switch (stmt.kind) {
    case 'expression':
      return [stmt.value]
    case 'if':
      return [stmt.test, ...stmt.then.flatMap(valuesIn), ...stmt.otherwise.flatMap(valuesIn)]
    case 'block':
      return stmt.body.flatMap(valuesIn)
    case 'switch':
      return stmt.cases.flatMap(({ body }) => body.flatMap(valuesIn))
    case 'try':
      return [...stmt.body, ...stmt.handlers.flatMap(({ body }) => body)].flatMap(valuesIn)
    case 'return':
      return stmt.value ? [stmt.value] : []
    default:
      return []
  }
}
