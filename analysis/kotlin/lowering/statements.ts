// Lowers statements.

import type { Expr, Stmt } from '../../ir.ts'
import {
  block,
  declaration,
  expressionStatement,
  literal,
  nameExpr,
  otherExpr,
  rangeOf,
} from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { assignedValue, childOfType, type LoweringContext, nameText, text } from './context.ts'
import { asStatements, ifStatement, tryStatement, whenStatement } from './control.ts'
import { functionFrom } from './functions.ts'
import { patternExpr } from './lambdas.ts'
import { typeName, typeNodeOf } from './types.ts'

export const statements = (lowering: LoweringContext, nodes: readonly SyntaxNode[]): Stmt[] =>
  nodes.flatMap((node) => statement(lowering, node))

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Stmt[]

const LOWERINGS: Readonly<Record<string, Lower>> = {
  block: (lowering, node) => [block(rangeOf(node), statements(lowering, namedChildren(node)))],
  property_declaration: (lowering, node) => [propertyDeclaration(lowering, node)],
  function_declaration: (lowering, node) => [
    { at: rangeOf(node), kind: 'function', definition: functionFrom(lowering, node) },
  ],
  class_declaration: classStatement,
  object_declaration: classStatement,
  type_alias: () => [],
  assignment,
  if_expression: (lowering, node) => ifStatement(lowering, node, asStatements),
  when_expression: (lowering, node) => whenStatement(lowering, node, asStatements),
  try_expression: (lowering, node) => tryStatement(lowering, node, asStatements),
  for_statement: forStatement,
  while_statement: whileStatement,
  do_while_statement: doWhileStatement,
  return_expression: (lowering, node) => {
    const value = namedChildren(node).find(({ field }) => field !== 'label')
    return [
      { at: rangeOf(node), kind: 'return', value: value ? lowering.visit.expression(lowering, value) : null },
    ]
  },
  throw_expression: (lowering, node) => {
    const [value] = namedChildren(node)
    return [
      { at: rangeOf(node), kind: 'throw', value: value ? lowering.visit.expression(lowering, value) : null },
    ]
  },
  identifier: (lowering, node) => jump(lowering, node) ?? plain(lowering, node),
  labeled_expression: (lowering, node) =>
    jump(lowering, node) ??
    statements(
      lowering,
      namedChildren(node).filter(({ type }) => type !== 'label'),
    ),
}

function statement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const form = LOWERINGS[node.type]
  if (form) return form(lowering, node)
  return node.isNamed && !/comment|^label$/.test(node.type) ? plain(lowering, node) : []
}

const plain: Lower = (lowering, node) => [
  expressionStatement(rangeOf(node), lowering.visit.expression(lowering, node)),
]

/** `break` and `continue` are identifiers for the parser, also with a label. */
function jump(lowering: LoweringContext, node: SyntaxNode): Stmt[] | undefined {
  const [, word] = /^(break|continue)(?:@|$)/.exec(text(lowering, node)) ?? []
  if (word === undefined) return undefined
  return [{ at: rangeOf(node), kind: word === 'break' ? 'break' : 'continue' }]
}

function classStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  return [{ at: rangeOf(node), kind: 'class', definition: lowering.visit.classFrom(lowering, node) }]
}

function propertyDeclaration(lowering: LoweringContext, node: SyntaxNode): Stmt {
  const at = rangeOf(node)
  const many = childOfType(node, 'multi_variable_declaration')
  const one = childOfType(node, 'variable_declaration')
  const name = one && childOfType(one, 'identifier')
  const target: Expr = many
    ? patternExpr(lowering, many)
    : name
      ? nameExpr(rangeOf(name), nameText(lowering, name))
      : otherExpr(at)
  const value = propertyValue(lowering, node)
  return declaration(at, target, value, one ? typeName(lowering, typeNodeOf(one)) : null)
}

/** The initializer, or the value of `by lazy { … }`. */
export function propertyValue(lowering: LoweringContext, node: SyntaxNode): Expr | null {
  const delegate = childOfType(node, 'property_delegate')
  const value = delegate ? namedChildren(delegate)[0] : assignedValue(node)
  return value ? lowering.visit.expression(lowering, value) : null
}

function assignment(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const [left, right] = [childByField(node, 'left'), childByField(node, 'right')]
  if (!left || !right) return []
  const operator = text(lowering, childByField(node, 'operator') ?? node).slice(0, -1)
  return [
    expressionStatement(at, {
      at,
      kind: 'assign',
      target: lowering.visit.expression(lowering, left),
      operator: operator === '' ? null : operator,
      value: lowering.visit.expression(lowering, right),
    }),
  ]
}

function forStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const parts = namedChildren(node).filter(({ type }) => type !== 'label' && type !== 'annotation')
  const [variable, over, body] = parts
  if (!variable || !over) return []
  const name = childOfType(variable, 'identifier') ?? variable
  const each =
    variable.type === 'multi_variable_declaration'
      ? patternExpr(lowering, variable)
      : nameExpr(rangeOf(name), nameText(lowering, name))
  const inside = body ? statements(lowering, [body]) : []
  return [{ ...emptyLoop(node), each, over: lowering.visit.expression(lowering, over), body: inside }]
}

function whileStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const test = childByField(node, 'condition')
  const body = namedChildren(node).filter((part) => part !== test && part.type !== 'label')
  return [
    {
      ...emptyLoop(node),
      test: test ? lowering.visit.expression(lowering, test) : literal(rangeOf(node), true),
      body: statements(lowering, body),
    },
  ]
}

/** The body runs before the first test. */
function doWhileStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const test = childByField(node, 'condition')
  const body = namedChildren(node).filter((part) => part !== test && part.type !== 'label')
  const operand = test ? lowering.visit.expression(lowering, test) : literal(at, true)
  const end: Stmt = {
    at,
    kind: 'if',
    test: { at, kind: 'unary', operator: '!', operand },
    then: [{ at, kind: 'break' }],
    otherwise: [],
  }
  return [{ ...emptyLoop(node), body: [...statements(lowering, body), end] }]
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
