// Lowers statements.

import type { Case, Expr, Stmt } from '../../ir.ts'
import {
  block,
  branch,
  declaration,
  expressionStatement,
  nameExpr,
  otherExpr,
  rangeOf,
} from '../../ir-builders.ts'
import { childByField, childrenByField, type SyntaxNode } from '../../syntax/tree.ts'
import { typeIn } from './classes.ts'
import { type LoweringContext, partsOf, sourceOf } from './context.ts'
import { bindingsOf, isPattern, targetOf, testOf } from './patterns.ts'
import { cascadeOf } from './selectors.ts'

export const statementsOf = (lowering: LoweringContext, nodes: readonly SyntaxNode[]): Stmt[] =>
  nodes.flatMap((node) => statementOf(lowering, node))

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Stmt[]

export const statementOf: Lower = (lowering, node) => LOWERING[node.type]?.(lowering, node) ?? []

const LOWERING: Readonly<Record<string, Lower>> = {
  block: (lowering, node) => [block(rangeOf(node), statementsOf(lowering, partsOf(node.children)))],
  expression_statement: expressionOf,
  local_variable_declaration: declarationOf,
  local_function_declaration: (lowering, node) => {
    const [lambda] = partsOf(node.children).filter(({ type }) => type === 'lambda_expression')
    return lambda
      ? [{ kind: 'function', at: rangeOf(node), definition: lowering.closure(lowering, lambda) }]
      : []
  },
  if_statement: (lowering, node) => [ifOf(lowering, node)],
  for_statement: forOf,
  while_statement: whileOf,
  do_statement: whileOf,
  switch_statement: switchOf,
  try_statement: tryOf,
  return_statement: (lowering, node) => {
    const parts = partsOf(node.children)
    return [
      {
        kind: 'return',
        at: rangeOf(node),
        value: parts.length > 0 ? lowering.sequence(lowering, parts) : null,
      },
    ]
  },
  yield_statement: (lowering, node) => [
    expressionStatement(rangeOf(node), lowering.sequence(lowering, node.children)),
  ],
  yield_each_statement: (lowering, node) => [
    expressionStatement(rangeOf(node), lowering.sequence(lowering, node.children)),
  ],
  break_statement: (_, node) => [{ kind: 'break', at: rangeOf(node) }],
  continue_statement: (_, node) => [{ kind: 'continue', at: rangeOf(node) }],
  labeled_statement: (lowering, node) => statementsOf(lowering, partsOf(node.children)),
}

function expressionOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const parts = partsOf(node.children)
  const [first] = parts
  if (!first) return []
  if (first.type === 'throw_expression')
    return [{ kind: 'throw', at, value: lowering.sequence(lowering, first.children) }]
  if (first.type === 'rethrow_expression') return [{ kind: 'throw', at, value: null }]
  return cascadeStatements(lowering, at, parts)
}

function cascadeStatements(lowering: LoweringContext, at: Stmt['at'], parts: readonly SyntaxNode[]): Stmt[] {
  const sections = parts.filter(({ type }) => type === 'cascade_section')
  const object = lowering.sequence(
    lowering,
    parts.filter((part) => !sections.includes(part)),
  )
  if (sections.length === 0) return [expressionStatement(at, object)]
  return sections.map((section) =>
    expressionStatement(rangeOf(section), cascadeOf(lowering, object, section)),
  )
}

function declarationOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  return partsOf(node.children).flatMap((part): Stmt[] => {
    if (part.type === 'pattern_variable_declaration') {
      const pattern = part.children.find(isPattern)
      const value = part.children.slice(part.children.findIndex(({ type }) => type === '=') + 1)
      return pattern
        ? [declaration(rangeOf(part), targetOf(lowering, pattern), lowering.sequence(lowering, value))]
        : []
    }
    if (part.type !== 'initialized_variable_definition') return []
    const type = typeIn(lowering, part)
    const isConstant = part.children.some(({ type: kind }) => /^(?:final|const)_builtin$/.test(kind))
    const name = childByField(part, 'name')
    const value = childrenByField(part, 'value')
    const more = part.children.filter(({ type: kind }) => kind === 'initialized_identifier')
    const first = name ? declared(lowering, part, name, value, type, isConstant) : []
    return [
      ...first,
      ...more.flatMap((each) => {
        const [own, ...given] = partsOf(each.children)
        return own ? declared(lowering, each, own, given, type, isConstant) : []
      }),
    ]
  })
}

function declared(
  lowering: LoweringContext,
  node: SyntaxNode,
  name: SyntaxNode,
  value: readonly SyntaxNode[],
  type: string | null,
  isConstant: boolean,
): Stmt[] {
  const target = nameExpr(rangeOf(name), sourceOf(lowering, name))
  const sections = value.filter(({ type: kind }) => kind === 'cascade_section')
  const plain = value.filter((part) => !sections.includes(part))
  const given = partsOf(plain).length > 0 ? lowering.sequence(lowering, plain) : null
  return [
    {
      kind: 'declare',
      at: rangeOf(node),
      target,
      type,
      value: given,
      isConstant: isConstant && given !== null,
    },
    ...sections.map((section) => expressionStatement(rangeOf(section), cascadeOf(lowering, target, section))),
  ]
}

/** The parts between the first parentheses. */
function conditionOf(node: SyntaxNode): SyntaxNode[] {
  const open = node.children.findIndex(({ type }) => type === '(')
  const close = node.children.findIndex(({ type }) => type === ')')
  return node.children.slice(open + 1, close)
}

/** `if (test)` and `if (value case pattern when guard)`. */
function ifOf(lowering: LoweringContext, node: SyntaxNode): Stmt {
  const at = rangeOf(node)
  const parts = partsOf(conditionOf(node))
  const pattern = parts.findIndex(isPattern)
  const [then, otherwise] = [childByField(node, 'consequence'), childByField(node, 'alternative')]
  const [body, rest] = [statementsIn(lowering, then), statementsIn(lowering, otherwise)]
  const matched = parts[pattern]
  if (pattern === -1 || !matched) return branch(at, lowering.sequence(lowering, parts), body, rest)
  const subject = lowering.sequence(lowering, parts.slice(0, pattern))
  const test = testOf(lowering, matched, subject) ?? otherExpr(rangeOf(matched), [subject])
  return branch(at, test, [...bound(lowering, matched, subject), ...body], rest)
}

const bound = (lowering: LoweringContext, pattern: SyntaxNode, subject: Expr): Stmt[] =>
  bindingsOf(lowering, pattern, subject).map((each): Stmt => {
    const at = rangeOf(pattern)
    return each.kind === 'assign' ? declaration(at, each.target, each.value) : expressionStatement(at, each)
  })

const statementsIn = (lowering: LoweringContext, node: SyntaxNode | undefined): Stmt[] =>
  node
    ? node.type === 'block'
      ? statementsOf(lowering, partsOf(node.children))
      : statementOf(lowering, node)
    : []

const LOOP = { kind: 'loop', setup: [], test: null, step: [], each: null, eachKey: null, over: null } as const

function forOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const parts = node.children.find(({ type }) => type === 'for_loop_parts')
  const body = statementsIn(lowering, childByField(node, 'body'))
  const at = rangeOf(node)
  if (!parts) return [{ ...LOOP, at, body }]
  const value = childrenByField(parts, 'value')
  if (value.length > 0) {
    const name =
      childByField(parts, 'name') ??
      partsOf(parts.children).find((part) => part.type === 'identifier' && part.field === null)
    const pattern = parts.children.find(isPattern)
    const each = pattern
      ? targetOf(lowering, pattern)
      : name
        ? nameExpr(rangeOf(name), sourceOf(lowering, name))
        : null
    return [{ ...LOOP, at, each, over: lowering.sequence(lowering, value), body }]
  }
  const [init, condition, update] = ['init', 'condition', 'update'].map((field) =>
    childrenByField(parts, field),
  )
  const setup = (init ?? []).flatMap((part) => statementOf(lowering, part))
  return [
    {
      ...LOOP,
      at,
      setup,
      test: condition?.length ? lowering.sequence(lowering, condition) : null,
      step: update?.length ? [expressionStatement(at, lowering.sequence(lowering, update))] : [],
      body,
    },
  ]
}

function whileOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const test = lowering.sequence(lowering, childrenByField(node, 'condition'))
  return [{ ...LOOP, at: rangeOf(node), test, body: statementsIn(lowering, childByField(node, 'body')) }]
}

function switchOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const subject = lowering.sequence(lowering, childrenByField(node, 'condition'))
  const body = childByField(node, 'body')
  const cases = (body ? partsOf(body.children) : []).map((each): Case => {
    const colon = each.children.findIndex(({ type }) => type === ':')
    const pattern = each.children.slice(0, colon).find(isPattern)
    const statements = statementsOf(lowering, partsOf(each.children.slice(colon + 1)))
    if (!pattern) return { tests: [], body: statements, hasNoFallthrough: false }
    const constant =
      pattern.type === 'constant_pattern' ? lowering.sequence(lowering, pattern.children) : null
    return {
      tests: [constant ?? otherExpr(rangeOf(pattern))],
      body: [...bound(lowering, pattern, subject), ...statements],
      // An empty case shares the body of the next one.
      hasNoFallthrough: statements.length > 0,
    }
  })
  return [{ kind: 'switch', at: rangeOf(node), subject, cases }]
}

function tryOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const handlers: { target: Expr | null; body: Stmt[] }[] = []
  let target: Expr | null = null
  const parts = partsOf(node.children).filter(({ field }) => field !== 'body')
  for (const part of parts) {
    if (part.type === 'catch_clause') {
      const [list] = partsOf(part.children)
      const name = list && partsOf(list.children)[0]
      target = name ? nameExpr(rangeOf(name), sourceOf(lowering, name)) : null
    } else if (part.type === 'block') {
      handlers.push({ target, body: statementsIn(lowering, part) })
      target = null
    }
  }
  const last = parts.find(({ type }) => type === 'finally_clause')
  const [final] = last ? partsOf(last.children) : []
  return [
    {
      kind: 'try',
      at: rangeOf(node),
      body: statementsIn(lowering, childByField(node, 'body')),
      handlers,
      finalizer: statementsIn(lowering, final),
    },
  ]
}
