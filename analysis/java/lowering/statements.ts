// Lowers statements.

import type { Expr, Stmt } from '../../ir.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, nameExpr, rangeOf, text, withScope } from './context.ts'
import { typeName } from './names.ts'
import { switchStatement } from './switch.ts'

export function statements(lowering: LoweringContext, nodes: readonly SyntaxNode[]): Stmt[] {
  return nodes.flatMap((node) => {
    const own: LoweringContext = { ...lowering, patternVariables: [] }
    const made = statement(own, node)
    return [...declaredByPatterns(own), ...made]
  })
}

export function statement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const form = LOWERINGS[node.type]
  if (form) return form(lowering, node)
  if (!node.isNamed || node.type.includes('comment')) return []
  return [{ at: rangeOf(node), kind: 'expression', value: lowering.visit.expression(lowering, node) }]
}

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Stmt[]

const LOWERINGS: Readonly<Record<string, Lower>> = {
  block: (lowering, node) => [{ at: rangeOf(node), kind: 'block', body: blockOf(lowering, node) }],
  constructor_body: (lowering, node) => statements(lowering, namedChildren(node)),
  expression_statement: expressionStatement,
  local_variable_declaration: declarations,
  if_statement: ifStatement,
  while_statement: whileStatement,
  do_statement: doStatement,
  for_statement: forStatement,
  enhanced_for_statement: forEach,
  switch_expression: switchStatement,
  return_statement: (lowering, node) => [
    { at: rangeOf(node), kind: 'return', value: firstOf(lowering, node) },
  ],
  yield_statement: (lowering, node) => [
    { at: rangeOf(node), kind: 'return', value: firstOf(lowering, node) },
  ],
  throw_statement: (lowering, node) => [{ at: rangeOf(node), kind: 'throw', value: firstOf(lowering, node) }],
  break_statement: (_, node) => [{ at: rangeOf(node), kind: 'break' }],
  continue_statement: (_, node) => [{ at: rangeOf(node), kind: 'continue' }],
  labeled_statement: (lowering, node) => statements(lowering, namedChildren(node).slice(1)),
  synchronized_statement: (lowering, node) => statements(lowering, namedChildren(node)),
  try_statement: tryStatement,
  try_with_resources_statement: tryStatement,
  explicit_constructor_invocation: constructorCall,
  class_declaration: localClass,
  record_declaration: localClass,
  enum_declaration: localClass,
  interface_declaration: localClass,
}

/** Creates a scope, so that declarations end with the block. */
function blockOf(lowering: LoweringContext, node: SyntaxNode | undefined): Stmt[] {
  if (!node) return []
  const inner = withScope(lowering)
  return statements(inner, node.type === 'block' ? namedChildren(node) : [node])
}

/** Variables of patterns are declared before the statement that contains them. */
function declaredByPatterns({ patternVariables: bound }: LoweringContext): Stmt[] {
  return bound.map(({ name, at }) => ({
    at,
    kind: 'declare',
    target: nameExpr(at, name),
    type: null,
    value: null,
    isConstant: false,
  }))
}

function expressionStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [part] = namedChildren(node)
  if (part?.type === 'switch_expression') return switchStatement(lowering, part)
  return part
    ? [{ at: rangeOf(node), kind: 'expression', value: lowering.visit.expression(lowering, part) }]
    : []
}

function declarations(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const type = typeName(lowering, childByField(node, 'type'))
  const isConstant = /\bfinal\b/.test(
    text(lowering, node.children.find((child) => child.type === 'modifiers') ?? { ...node, end: node.start }),
  )
  return childrenByField(node, 'declarator').map((declarator) => {
    const value = childByField(declarator, 'value')
    const name = text(lowering, childByField(declarator, 'name') ?? declarator)
    const lowered = value ? lowering.visit.expression(lowering, value) : null
    lowering.scope.variables.set(name, type ?? madeType(lowered))
    return {
      at: rangeOf(declarator),
      kind: 'declare',
      target: nameExpr(childByField(declarator, 'name') ?? declarator, name),
      type: type && (childByField(declarator, 'dimensions') ? `${type}[]` : type),
      value: lowered,
      isConstant,
    }
  })
}

/** `var b = new StringBuilder()` */
const madeType = (value: Expr | null): string | null =>
  value?.kind === 'call' && value.isNew && value.callee.kind === 'name' ? value.callee.name : null

function ifStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  return [
    {
      at: rangeOf(node),
      kind: 'if',
      test: testOf(lowering, node),
      then: blockOf(lowering, childByField(node, 'consequence')),
      otherwise: blockOf(lowering, childByField(node, 'alternative')),
    },
  ]
}

function whileStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  return [
    {
      ...emptyLoop(node),
      test: testOf(lowering, node),
      body: blockOf(lowering, childByField(node, 'body')),
    },
  ]
}

/** The body runs before the first test. */
function doStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const test: Expr = { at, kind: 'unary', operator: '!', operand: testOf(lowering, node) }
  const end: Stmt = { at, kind: 'if', test, then: [{ at, kind: 'break' }], otherwise: [] }
  return [{ ...emptyLoop(node), body: [...blockOf(lowering, childByField(node, 'body')), end] }]
}

function forStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const inner = withScope(lowering)
  const setup = statements(inner, childrenByField(node, 'init'))
  return [
    {
      ...emptyLoop(node),
      setup,
      test: childByField(node, 'condition') ? testOf(inner, node) : null,
      step: statements(inner, childrenByField(node, 'update')),
      body: blockOf(inner, childByField(node, 'body')),
    },
  ]
}

function forEach(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const over = childByField(node, 'value')
  const inner = withScope(lowering)
  const name = childByField(node, 'name') ?? node
  const written = text(lowering, name)
  inner.scope.variables.set(written, null)
  const each = nameExpr(name, written)
  const type = typeName(lowering, childByField(node, 'type'))
  return [
    {
      ...emptyLoop(node),
      each,
      over: over ? lowering.visit.expression(lowering, over) : null,
      body: [...assignDeclaredType(each, type), ...blockOf(inner, childByField(node, 'body'))],
    },
  ]
}

/** The items have the declared type of the loop variable. */
function assignDeclaredType(each: Expr, type: string | null): Stmt[] {
  if (!type || /^java\.lang\.(String|Object)$|^(String|Object)$/.test(type)) return []
  const value: Expr = { at: each.at, kind: 'cast', type, value: each }
  return [{ at: each.at, kind: 'expression', value: { ...assigned(each, value) } }]
}

const assigned = (target: Expr, value: Expr): Expr => ({
  at: target.at,
  kind: 'assign',
  target,
  operator: null,
  value,
})

function tryStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const inner = withScope(lowering)
  const resources = childByField(node, 'resources')
  const opened = resources ? namedChildren(resources).flatMap((resource) => opening(inner, resource)) : []
  const finalizer = namedChildren(node).find(({ type }) => type === 'finally_clause')
  return [
    {
      at: rangeOf(node),
      kind: 'try',
      body: [...opened, ...blockOf(inner, childByField(node, 'body'))],
      handlers: namedChildren(node)
        .filter(({ type }) => type === 'catch_clause')
        .map((clause) => handlerOf(lowering, clause)),
      finalizer: finalizer ? namedChildren(finalizer).flatMap((block) => blockOf(lowering, block)) : [],
    },
  ]
}

function opening(inner: LoweringContext, resource: SyntaxNode): Stmt[] {
  const [name, value] = [childByField(resource, 'name'), childByField(resource, 'value')]
  if (!name || !value) return statements(inner, namedChildren(resource))
  const lowered = inner.visit.expression(inner, value)
  inner.scope.variables.set(text(inner, name), null)
  return [
    {
      at: rangeOf(resource),
      kind: 'declare',
      target: nameExpr(name, text(inner, name)),
      type: typeName(inner, childByField(resource, 'type')),
      value: lowered,
      isConstant: true,
    },
  ]
}

function handlerOf(lowering: LoweringContext, clause: SyntaxNode) {
  const inner = withScope(lowering)
  const parameter = namedChildren(clause).find(({ type }) => type === 'catch_formal_parameter')
  const name = parameter && childByField(parameter, 'name')
  if (name) inner.scope.variables.set(text(lowering, name), null)
  return {
    target: name ? nameExpr(name, text(lowering, name)) : null,
    body: blockOf(inner, childByField(clause, 'body')),
  }
}

function constructorCall(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const args = namedChildren(childByField(node, 'arguments') ?? node).map((part) => ({
    name: null,
    isSpread: false,
    value: lowering.visit.expression(lowering, part),
  }))
  const callee = nameExpr(node, childByField(node, 'constructor')?.type === 'this' ? 'this' : 'super')
  return [{ at, kind: 'expression', value: { at, kind: 'call', callee, args, isNew: false } }]
}

function localClass(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const name = text(lowering, childByField(node, 'name') ?? node)
  lowering.scope.variables.set(name, null)
  return [{ at: rangeOf(node), kind: 'class', definition: lowering.visit.classFrom(lowering, node, name) }]
}

function testOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const test = childByField(node, 'condition')
  return test ? lowering.visit.expression(lowering, test) : { at: rangeOf(node), kind: 'other', parts: [] }
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
