// Lowers statements and the text around them.

import type { Case, Expr, Stmt } from '../../ir.ts'
import {
  block,
  branch,
  declaration,
  expressionStatement,
  literal,
  nameExpr,
  otherExpr,
  positional,
  rangeOf,
} from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { targetOf } from './assignments.ts'
import { wordCall } from './calls.ts'
import { classOf } from './classes.ts'
import { type LoweringContext, sourceOf, variableName } from './context.ts'
import { exitCall, functionOf, isEnd } from './functions.ts'

/** The statements of a block or file. An expression after `<?=` is printed. */
export function statementsOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const parts = namedChildren(node)
  return parts.flatMap((part, index) => {
    const before = parts[index - 1]
    const isPrinted =
      before !== undefined && part.type === 'expression_statement' && opensEcho(lowering, before)
    return isPrinted
      ? [expressionStatement(rangeOf(part), wordCall(lowering, part, 'echo'))]
      : statementOf(lowering, part)
  })
}

function opensEcho(lowering: LoweringContext, before: SyntaxNode): boolean {
  const tag = before.type === 'text_interpolation' ? namedChildren(before).at(-1) : before
  return tag?.type === 'php_tag' && sourceOf(lowering, tag) === '<?='
}

function statementOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const lower = LOWERING[node.type]
  if (lower) return lower(lowering, node)
  return IGNORED.has(node.type) ? [] : [expressionStatement(rangeOf(node), lowering.expression(node))]
}

const IGNORED = new Set([
  'text',
  'php_tag',
  'text_interpolation',
  'empty_statement',
  'goto_statement',
  'named_label_statement',
  'namespace_use_declaration',
  'interface_declaration',
])

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Stmt[]

const LOWERING: Readonly<Record<string, Lower>> = {
  compound_statement: (lowering, node) => [block(rangeOf(node), statementsOf(lowering, node))],
  colon_block: (lowering, node) => [block(rangeOf(node), statementsOf(lowering, node))],
  namespace_definition: (lowering, node) => {
    const body = childByField(node, 'body')
    return body ? statementsOf(lowering, body) : []
  },
  declare_statement: (lowering, node) =>
    namedChildren(node).flatMap((part) =>
      part.type === 'declare_directive' ? [] : statementOf(lowering, part),
    ),
  expression_statement: expressionOf,
  echo_statement: (lowering, node) => [expressionStatement(rangeOf(node), wordCall(lowering, node, 'echo'))],
  exit_statement: exitOf,
  return_statement: (lowering, node) => [
    { kind: 'return', at: rangeOf(node), value: firstOf(lowering, node) },
  ],
  break_statement: (_, node) => [{ kind: 'break', at: rangeOf(node) }],
  continue_statement: (_, node) => [{ kind: 'continue', at: rangeOf(node) }],
  if_statement: ifOf,
  switch_statement: switchOf,
  while_statement: whileOf,
  do_statement: whileOf,
  for_statement: forOf,
  foreach_statement: foreachOf,
  try_statement: tryOf,
  function_definition: (lowering, node) => [
    { kind: 'function', at: rangeOf(node), definition: functionOf(lowering, node) },
  ],
  class_declaration: classOf,
  trait_declaration: classOf,
  enum_declaration: classOf,
  const_declaration: constantsOf,
  global_declaration: () => [],
  function_static_declaration: staticsOf,
  unset_statement: unsetOf,
}

function firstOf(lowering: LoweringContext, node: SyntaxNode): Expr | null {
  const [first] = namedChildren(node)
  return first ? lowering.expression(first) : null
}

function expressionOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const [inside] = namedChildren(node)
  if (!inside) return []
  if (inside.type === 'throw_expression') return [{ kind: 'throw', at, value: firstOf(lowering, inside) }]
  const value = lowering.expression(inside)
  const ends = value.kind === 'call' && value.callee.kind === 'name' && isEnd(value.callee.name)
  // Execution stops here, so a check before it acts as a guard.
  return [expressionStatement(at, value), ...(ends ? [{ kind: 'throw' as const, at, value: null }] : [])]
}

function exitOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const value = firstOf(lowering, node)
  return [
    expressionStatement(at, exitCall(at, value ? [positional(value)] : [])),
    { kind: 'throw', at, value: null },
  ]
}

function bodyOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  // With the alternative syntax, a loop or `if` has several body statements.
  return node.children
    .filter(({ field, isNamed }) => field === 'body' && isNamed)
    .flatMap((body) =>
      body.type === 'compound_statement' || body.type === 'colon_block'
        ? statementsOf(lowering, body)
        : statementOf(lowering, body),
    )
}

function testOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const condition = childByField(node, 'condition')
  return condition ? lowering.expression(condition) : otherExpr(rangeOf(node))
}

function ifOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const clauses = node.children.filter(({ field, isNamed }) => field === 'alternative' && isNamed)
  const otherwise = clauses.reduceRight<Stmt[]>(
    (rest, clause) =>
      clause.type === 'else_if_clause' ? [branchOf(lowering, clause, rest)] : bodyOf(lowering, clause),
    [],
  )
  return [branchOf(lowering, node, otherwise)]
}

function branchOf(lowering: LoweringContext, node: SyntaxNode, otherwise: readonly Stmt[]): Stmt {
  return branch(rangeOf(node), testOf(lowering, node), bodyOf(lowering, node), otherwise)
}

function switchOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const body = childByField(node, 'body')
  const cases = (body ? namedChildren(body) : [])
    .filter(({ type }) => type === 'case_statement' || type === 'default_statement')
    .map((each): Case => {
      const value = childByField(each, 'value')
      return {
        tests: value ? [lowering.expression(value)] : [],
        body: statementsOf(lowering, { ...each, children: each.children.filter((part) => part !== value) }),
        hasNoFallthrough: false,
      }
    })
  return [{ kind: 'switch', at: rangeOf(node), subject: testOf(lowering, node), cases }]
}

const ENDLESS = {
  kind: 'loop',
  setup: [],
  test: null,
  step: [],
  each: null,
  eachKey: null,
  over: null,
} as const

function whileOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  return [{ ...ENDLESS, at: rangeOf(node), test: testOf(lowering, node), body: bodyOf(lowering, node) }]
}

function forOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [setup, test, step] = ['initialize', 'condition', 'update'].map((field) => childByField(node, field))
  return [
    {
      ...ENDLESS,
      at: rangeOf(node),
      setup: setup ? [expressionStatement(rangeOf(setup), lowering.expression(setup))] : [],
      test: test ? lowering.expression(test) : null,
      step: step ? [expressionStatement(rangeOf(step), lowering.expression(step))] : [],
      body: bodyOf(lowering, node),
    },
  ]
}

function foreachOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [over, item] = namedChildren(node).filter(({ field }) => field !== 'body')
  const [key, value] = item?.type === 'pair' ? namedChildren(item) : [undefined, item]
  return [
    {
      ...ENDLESS,
      at: rangeOf(node),
      over: over ? lowering.expression(over) : null,
      each: value ? targetOf(lowering, value) : null,
      body: [...keyOf(lowering, key), ...bodyOf(lowering, node)],
    },
  ]
}

/** Keys rarely come from a request and are mostly numbers, so they are unknown. */
function keyOf(lowering: LoweringContext, key: SyntaxNode | undefined): Stmt[] {
  return key ? [declaration(rangeOf(key), targetOf(lowering, key), otherExpr(rangeOf(key)))] : []
}

function tryOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const parts = namedChildren(node)
  const handlers = parts
    .filter(({ type }) => type === 'catch_clause')
    .map((clause) => {
      const name = childByField(clause, 'name')
      return { target: name ? lowering.expression(name) : null, body: bodyOf(lowering, clause) }
    })
  const last = parts.find(({ type }) => type === 'finally_clause')
  return [
    {
      kind: 'try',
      at: rangeOf(node),
      body: bodyOf(lowering, node),
      handlers,
      finalizer: last ? bodyOf(lowering, last) : [],
    },
  ]
}

function constantsOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  return namedChildren(node)
    .filter(({ type }) => type === 'const_element')
    .flatMap((element): Stmt[] => {
      const [name, value] = namedChildren(element)
      if (!name || !value) return []
      const at = rangeOf(element)
      const target = nameExpr(at, sourceOf(lowering, name))
      return [
        { kind: 'declare', at, target, type: null, value: lowering.expression(value), isConstant: true },
      ]
    })
}

/** The initial value of a static variable is dropped, because it changes later. */
function staticsOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  return namedChildren(node).flatMap((part) => {
    const name = childByField(part, 'name')
    const at = rangeOf(part)
    return name ? [declaration(at, nameExpr(at, variableName(lowering, name)), null)] : []
  })
}

function unsetOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  return namedChildren(node).map((part) => {
    const at = rangeOf(part)
    const target = lowering.expression(part)
    return expressionStatement(at, {
      kind: 'assign',
      at,
      target,
      operator: null,
      value: literal(at, null),
    })
  })
}
