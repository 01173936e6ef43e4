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
import { type Reading, sourceOf, variableName } from './context.ts'
import { exitCall, functionOf, isEnd } from './functions.ts'

/** The statements of a block or file. An expression after `<?=` is printed. */
export function statementsOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const parts = namedChildren(node)
  return parts.flatMap((part, index) => {
    const before = parts[index - 1]
    const isPrinted =
      before !== undefined && part.type === 'expression_statement' && opensEcho(reading, before)
    return isPrinted
      ? [expressionStatement(rangeOf(part), wordCall(reading, part, 'echo'))]
      : statementOf(reading, part)
  })
}

function opensEcho(reading: Reading, before: SyntaxNode): boolean {
  const tag = before.type === 'text_interpolation' ? namedChildren(before).at(-1) : before
  return tag?.type === 'php_tag' && sourceOf(reading, tag) === '<?='
}

function statementOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const lower = LOWERING[node.type]
  if (lower) return lower(reading, node)
  return IGNORED.has(node.type) ? [] : [expressionStatement(rangeOf(node), reading.expression(node))]
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

type Lower = (reading: Reading, node: SyntaxNode) => Stmt[]

const LOWERING: Readonly<Record<string, Lower>> = {
  compound_statement: (reading, node) => [block(rangeOf(node), statementsOf(reading, node))],
  colon_block: (reading, node) => [block(rangeOf(node), statementsOf(reading, node))],
  namespace_definition: (reading, node) => {
    const body = childByField(node, 'body')
    return body ? statementsOf(reading, body) : []
  },
  declare_statement: (reading, node) =>
    namedChildren(node).flatMap((part) =>
      part.type === 'declare_directive' ? [] : statementOf(reading, part),
    ),
  expression_statement: expressionOf,
  echo_statement: (reading, node) => [expressionStatement(rangeOf(node), wordCall(reading, node, 'echo'))],
  exit_statement: exitOf,
  return_statement: (reading, node) => [{ kind: 'return', at: rangeOf(node), value: firstOf(reading, node) }],
  break_statement: (_, node) => [{ kind: 'break', at: rangeOf(node) }],
  continue_statement: (_, node) => [{ kind: 'continue', at: rangeOf(node) }],
  if_statement: ifOf,
  switch_statement: switchOf,
  while_statement: whileOf,
  do_statement: whileOf,
  for_statement: forOf,
  foreach_statement: foreachOf,
  try_statement: tryOf,
  function_definition: (reading, node) => [
    { kind: 'function', at: rangeOf(node), definition: functionOf(reading, node) },
  ],
  class_declaration: classOf,
  trait_declaration: classOf,
  enum_declaration: classOf,
  const_declaration: constantsOf,
  global_declaration: () => [],
  function_static_declaration: staticsOf,
  unset_statement: unsetOf,
}

function firstOf(reading: Reading, node: SyntaxNode): Expr | null {
  const [first] = namedChildren(node)
  return first ? reading.expression(first) : null
}

function expressionOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const [inside] = namedChildren(node)
  if (!inside) return []
  if (inside.type === 'throw_expression') return [{ kind: 'throw', at, value: firstOf(reading, inside) }]
  const value = reading.expression(inside)
  const ends = value.kind === 'call' && value.callee.kind === 'name' && isEnd(value.callee.name)
  // Execution stops here, so a check before it acts as a guard.
  return [expressionStatement(at, value), ...(ends ? [{ kind: 'throw' as const, at, value: null }] : [])]
}

function exitOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const value = firstOf(reading, node)
  return [
    expressionStatement(at, exitCall(at, value ? [positional(value)] : [])),
    { kind: 'throw', at, value: null },
  ]
}

function bodyOf(reading: Reading, node: SyntaxNode): Stmt[] {
  // With the alternative syntax, a loop or `if` has several body statements.
  return node.children
    .filter(({ field, isNamed }) => field === 'body' && isNamed)
    .flatMap((body) =>
      body.type === 'compound_statement' || body.type === 'colon_block'
        ? statementsOf(reading, body)
        : statementOf(reading, body),
    )
}

function testOf(reading: Reading, node: SyntaxNode): Expr {
  const condition = childByField(node, 'condition')
  return condition ? reading.expression(condition) : otherExpr(rangeOf(node))
}

function ifOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const clauses = node.children.filter(({ field, isNamed }) => field === 'alternative' && isNamed)
  const otherwise = clauses.reduceRight<Stmt[]>(
    (rest, clause) =>
      clause.type === 'else_if_clause' ? [branchOf(reading, clause, rest)] : bodyOf(reading, clause),
    [],
  )
  return [branchOf(reading, node, otherwise)]
}

function branchOf(reading: Reading, node: SyntaxNode, otherwise: readonly Stmt[]): Stmt {
  return branch(rangeOf(node), testOf(reading, node), bodyOf(reading, node), otherwise)
}

function switchOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const body = childByField(node, 'body')
  const cases = (body ? namedChildren(body) : [])
    .filter(({ type }) => type === 'case_statement' || type === 'default_statement')
    .map((each): Case => {
      const value = childByField(each, 'value')
      return {
        tests: value ? [reading.expression(value)] : [],
        body: statementsOf(reading, { ...each, children: each.children.filter((part) => part !== value) }),
        hasNoFallthrough: false,
      }
    })
  return [{ kind: 'switch', at: rangeOf(node), subject: testOf(reading, node), cases }]
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

function whileOf(reading: Reading, node: SyntaxNode): Stmt[] {
  return [{ ...ENDLESS, at: rangeOf(node), test: testOf(reading, node), body: bodyOf(reading, node) }]
}

function forOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const [setup, test, step] = ['initialize', 'condition', 'update'].map((field) => childByField(node, field))
  return [
    {
      ...ENDLESS,
      at: rangeOf(node),
      setup: setup ? [expressionStatement(rangeOf(setup), reading.expression(setup))] : [],
      test: test ? reading.expression(test) : null,
      step: step ? [expressionStatement(rangeOf(step), reading.expression(step))] : [],
      body: bodyOf(reading, node),
    },
  ]
}

function foreachOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const [over, item] = namedChildren(node).filter(({ field }) => field !== 'body')
  const [key, value] = item?.type === 'pair' ? namedChildren(item) : [undefined, item]
  return [
    {
      ...ENDLESS,
      at: rangeOf(node),
      over: over ? reading.expression(over) : null,
      each: value ? targetOf(reading, value) : null,
      body: [...keyOf(reading, key), ...bodyOf(reading, node)],
    },
  ]
}

/** Keys rarely come from a request and are mostly numbers, so they are unknown. */
function keyOf(reading: Reading, key: SyntaxNode | undefined): Stmt[] {
  return key ? [declaration(rangeOf(key), targetOf(reading, key), otherExpr(rangeOf(key)))] : []
}

function tryOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const parts = namedChildren(node)
  const handlers = parts
    .filter(({ type }) => type === 'catch_clause')
    .map((clause) => {
      const name = childByField(clause, 'name')
      return { target: name ? reading.expression(name) : null, body: bodyOf(reading, clause) }
    })
  const last = parts.find(({ type }) => type === 'finally_clause')
  return [
    {
      kind: 'try',
      at: rangeOf(node),
      body: bodyOf(reading, node),
      handlers,
      finalizer: last ? bodyOf(reading, last) : [],
    },
  ]
}

function constantsOf(reading: Reading, node: SyntaxNode): Stmt[] {
  return namedChildren(node)
    .filter(({ type }) => type === 'const_element')
    .flatMap((element): Stmt[] => {
      const [name, value] = namedChildren(element)
      if (!name || !value) return []
      const at = rangeOf(element)
      const target = nameExpr(at, sourceOf(reading, name))
      return [{ kind: 'declare', at, target, type: null, value: reading.expression(value), isConstant: true }]
    })
}

/** The initial value of a static variable is dropped, because it changes later. */
function staticsOf(reading: Reading, node: SyntaxNode): Stmt[] {
  return namedChildren(node).flatMap((part) => {
    const name = childByField(part, 'name')
    const at = rangeOf(part)
    return name ? [declaration(at, nameExpr(at, variableName(reading, name)), null)] : []
  })
}

function unsetOf(reading: Reading, node: SyntaxNode): Stmt[] {
  return namedChildren(node).map((part) => {
    const at = rangeOf(part)
    const target = reading.expression(part)
    return expressionStatement(at, {
      kind: 'assign',
      at,
      target,
      operator: null,
      value: literal(at, null),
    })
  })
}
