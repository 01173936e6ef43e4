// Lowers statements.

import type { Case, Expr, Stmt } from '../../ir.ts'
import {
  block,
  branch,
  callExpr,
  declaration,
  expressionStatement,
  memberExpr,
  nameExpr,
  otherExpr,
  rangeOf,
} from '../../ir-builders.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { initialValue } from './classes.ts'
import { childOfType, type LoweringContext, text, withPatternVariables } from './context.ts'
import { functionFrom } from './functions.ts'
import { patternTest } from './patterns.ts'
import { typeName } from './types.ts'

export function statements(lowering: LoweringContext, nodes: readonly SyntaxNode[]): Stmt[] {
  return nodes.flatMap((node) => withPatternVariables(lowering, (own) => statement(own, node)))
}

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Stmt[]

const exits =
  (kind: 'return' | 'throw'): Lower =>
  (lowering, node) => [{ at: rangeOf(node), kind, value: firstOf(lowering, node) }]

const insideBlock: Lower = (lowering, node) => [block(rangeOf(node), blockOf(lowering, node))]

const LOWERINGS: Readonly<Record<string, Lower>> = {
  global_statement: (lowering, node) => statements(lowering, namedChildren(node)),
  block: insideBlock,
  checked_statement: insideBlock,
  unsafe_statement: insideBlock,
  expression_statement: (lowering, node) => expressionOf(lowering, node, namedChildren(node)[0]),
  local_declaration_statement: (lowering, node) =>
    declarations(lowering, childOfType(node, 'variable_declaration')),
  local_function_statement: localFunction,
  if_statement: ifStatement,
  while_statement: whileStatement,
  do_statement: doStatement,
  for_statement: forStatement,
  foreach_statement: forEach,
  switch_statement: switchStatement,
  return_statement: exits('return'),
  throw_statement: exits('throw'),
  yield_statement: (lowering, node) => {
    const value = firstOf(lowering, node)
    return value
      ? [expressionStatement(rangeOf(node), { at: value.at, kind: 'same', value, how: 'yield' })]
      : []
  },
  break_statement: (_, node) => [{ at: rangeOf(node), kind: 'break' }],
  continue_statement: (_, node) => [{ at: rangeOf(node), kind: 'continue' }],
  labeled_statement: (lowering, node) => statements(lowering, namedChildren(node).slice(1)),
  try_statement: tryStatement,
  using_statement: usingStatement,
  fixed_statement: usingStatement,
  lock_statement: usingStatement,
  preproc_if: conditionalCode,
  preproc_elif: conditionalCode,
  preproc_else: (lowering, node) => statements(lowering, namedChildren(node)),
}

function statement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const form = LOWERINGS[node.type]
  if (form) return form(lowering, node)
  if (!node.isNamed || /comment|^preproc|^empty_statement$|^goto_statement$/.test(node.type)) return []
  return expressionOf(lowering, node, node)
}

function expressionOf(lowering: LoweringContext, node: SyntaxNode, part: SyntaxNode | undefined): Stmt[] {
  return part ? [expressionStatement(rangeOf(node), lowering.visit.expression(lowering, part))] : []
}

function blockOf(lowering: LoweringContext, node: SyntaxNode | undefined): Stmt[] {
  if (!node) return []
  const inside = node.type === 'block' ? node : childOfType(node, 'block')
  return statements(lowering, inside ? namedChildren(inside) : [node])
}

export function declarations(lowering: LoweringContext, node: SyntaxNode | undefined): Stmt[] {
  const type = node && typeName(lowering, childByField(node, 'type'))
  return (node ? namedChildren(node) : [])
    .filter((part) => part.type === 'variable_declarator')
    .map((part) => {
      const value = initialValue(part)
      const tuple = childOfType(part, 'tuple_pattern')
      const name = childByField(part, 'name') ?? part
      const target = tuple ? tuplePattern(lowering, tuple) : nameExpr(rangeOf(name), text(lowering, name))
      return declaration(
        rangeOf(part),
        target,
        value ? lowering.visit.expression(lowering, value) : null,
        type,
      )
    })
}

/** `var (a, b)` and the variables of a loop over pairs. */
function tuplePattern(lowering: LoweringContext, node: SyntaxNode): Expr {
  const items = namedChildren(node).map((part): Expr => {
    if (part.type === 'tuple_pattern') return tuplePattern(lowering, part)
    return part.type === 'identifier'
      ? nameExpr(rangeOf(part), text(lowering, part))
      : otherExpr(rangeOf(part))
  })
  const entries = items.map((value) => ({ name: null, isSpread: false, value }))
  return { at: rangeOf(node), kind: 'list', items: entries }
}

function localFunction(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const name = text(lowering, childByField(node, 'name') ?? node)
  return [{ at: rangeOf(node), kind: 'function', definition: functionFrom(lowering, node, { name }) }]
}

function ifStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const test = testOf(lowering, node)
  const then = blockOf(lowering, childByField(node, 'consequence'))
  return [branch(rangeOf(node), test, then, blockOf(lowering, childByField(node, 'alternative')))]
}

/** Either part of `#if` may be compiled. */
function conditionalCode(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [condition, alternative] = [childByField(node, 'condition'), childByField(node, 'alternative')]
  const then = namedChildren(node).filter((part) => part !== condition && part !== alternative)
  const otherwise = alternative ? statement(lowering, alternative) : []
  return [branch(rangeOf(node), otherExpr(rangeOf(node)), statements(lowering, then), otherwise)]
}

function whileStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const body = blockOf(lowering, childByField(node, 'body'))
  return [{ ...emptyLoop(node), test: testOf(lowering, node), body }]
}

/** The body runs before the first test. */
function doStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const test: Expr = { at, kind: 'unary', operator: '!', operand: testOf(lowering, node) }
  const end = branch(at, test, [{ at, kind: 'break' }], [])
  return [{ ...emptyLoop(node), body: [...blockOf(lowering, childByField(node, 'body')), end] }]
}

function forStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const parts = (field: string) =>
    childrenByField(node, field).flatMap((part) =>
      part.type === 'variable_declaration'
        ? declarations(lowering, part)
        : expressionOf(lowering, part, part),
    )
  const test = childByField(node, 'condition') ? testOf(lowering, node) : null
  const setup = parts('initializer')
  const body = blockOf(lowering, childByField(node, 'body'))
  return [{ ...emptyLoop(node), setup, test, step: parts('update'), body }]
}

function forEach(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [left, over] = [childByField(node, 'left'), childByField(node, 'right')]
  if (!left || !over) return []
  const isTuple = left.type === 'tuple_pattern'
  const each = isTuple ? tuplePattern(lowering, left) : nameExpr(rangeOf(left), text(lowering, left))
  const type = isTuple ? null : typeName(lowering, childByField(node, 'type'))
  const value: Expr = { at: each.at, kind: 'cast', type: type ?? '', value: each }
  const typed: Expr = { at: each.at, kind: 'assign', target: each, operator: null, value }
  return [
    {
      ...emptyLoop(node),
      each,
      over: lowering.visit.expression(lowering, over),
      body: [
        ...(type && !/^(?:string|object)$/.test(type) ? [expressionStatement(each.at, typed)] : []),
        ...blockOf(lowering, childByField(node, 'body')),
      ],
    },
  ]
}

function switchStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [value, body] = [childByField(node, 'value'), childByField(node, 'body')]
  if (!value || !body) return []
  const subject = lowering.visit.expression(lowering, value)
  const cases = namedChildren(body).map((section) => caseFrom(lowering, section, subject))
  return [{ at: rangeOf(node), kind: 'switch', subject, cases }]
}

function caseFrom(lowering: LoweringContext, section: SyntaxNode, subject: Expr): Case {
  const parts = namedChildren(section)
  const pattern = parts.find(({ type }) => /_pattern$|^discard$/.test(type))
  const guard = parts.find(({ type }) => type === 'when_clause')
  const body = parts.filter((part) => part !== pattern && part !== guard)
  const [constant] = pattern?.type === 'constant_pattern' && !guard ? namedChildren(pattern) : []
  if (constant)
    return {
      tests: [lowering.visit.expression(lowering, constant)],
      body: statements(lowering, body),
      hasNoFallthrough: false,
    }
  if (!pattern) return { tests: [], body: statements(lowering, body), hasNoFallthrough: false }
  // A pattern is an unknown test. Its variables are bound at the start of its body.
  const test = patternTest(lowering, subject, pattern)
  const asked = expressionStatement(test.at, test)
  return {
    tests: [otherExpr(rangeOf(pattern))],
    body: [asked, ...statements(lowering, body)],
    hasNoFallthrough: false,
  }
}

function tryStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const parts = namedChildren(node)
  const last = parts.find(({ type }) => type === 'finally_clause')
  const handlers = parts
    .filter(({ type }) => type === 'catch_clause')
    .map((clause) => {
      const declared = childOfType(clause, 'catch_declaration')
      const name = declared && childByField(declared, 'name')
      return {
        target: name ? nameExpr(rangeOf(name), text(lowering, name)) : null,
        body: blockOf(lowering, childByField(clause, 'body')),
      }
    })
  const body = blockOf(lowering, childByField(node, 'body'))
  return [{ at: rangeOf(node), kind: 'try', body, handlers, finalizer: last ? blockOf(lowering, last) : [] }]
}

/** `using (var x = …) { … }`, `fixed` and `lock`. */
function usingStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const body = childByField(node, 'body')
  const made = namedChildren(node).flatMap((part) => {
    if (part === body) return blockOf(lowering, part)
    return part.type === 'variable_declaration'
      ? declarations(lowering, part)
      : node.type === 'lock_statement' && part.isNamed && !/block|statement/.test(part.type)
        ? [
            expressionStatement(
              at,
              callExpr(at, memberExpr(at, nameExpr(at, 'Monitor'), 'Enter'), [
                { name: null, isSpread: false, value: lowering.visit.expression(lowering, part) },
              ]),
            ),
          ]
        : statements(lowering, [part])
  })
  return [block(at, made)]
}

function testOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const test = childByField(node, 'condition')
  return test ? lowering.visit.expression(lowering, test) : otherExpr(rangeOf(node))
}

function firstOf(lowering: LoweringContext, node: SyntaxNode): Expr | null {
  const [part] = namedChildren(node)
  return part ? lowering.visit.expression(lowering, part) : null
}

const emptyLoop = (node: SyntaxNode) => ({
  at: rangeOf(node),
  kind: 'loop' as const,
  setup: [],
  test: null,
  step: [],
  each: null,
  eachKey: null,
  over: null,
  body: [],
})
