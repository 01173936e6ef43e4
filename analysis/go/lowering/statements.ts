// Lowers statements.

import type { Case, Expr, Stmt } from '../../ir.ts'
import {
  block,
  branch,
  declaration,
  expressionStatement,
  literal,
  nameExpr,
  otherExpr,
  rangeOf,
} from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { assignmentOf, constantsOf, returnOf, shortDeclaration, variablesOf } from './assignments.ts'
import { type Reading, sourceOf } from './context.ts'
import { asQuestion } from './expressions.ts'

/** The statements of a block, a case or a file. */
export function statementsOf(reading: Reading, node: SyntaxNode): Stmt[] {
  return namedChildren(node).flatMap((part) => statementOf(reading, part))
}

function statementOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const lower = LOWERING[node.type]
  if (lower) return lower(reading, node)
  return node.type.endsWith('_declaration') || node.type === 'label_name'
    ? []
    : [expressionStatement(rangeOf(node), reading.expression(node))]
}

type Lower = (reading: Reading, node: SyntaxNode) => Stmt[]

const LOWERING: Readonly<Record<string, Lower>> = {
  block: (reading, node) => [block(rangeOf(node), statementsOf(reading, node))],
  statement_list: statementsOf,
  expression_statement: insideOf,
  // Deferred calls run at the end of the function. They are lowered in place, because only the call itself
  // matters.
  defer_statement: insideOf,
  go_statement: insideOf,
  labeled_statement: statementsOf,
  short_var_declaration: shortDeclaration,
  var_declaration: variablesOf,
  const_declaration: constantsOf,
  assignment_statement: assignmentOf,
  inc_statement: (reading, node) => stepOf(reading, node, '+'),
  dec_statement: (reading, node) => stepOf(reading, node, '-'),
  send_statement: sendOf,
  return_statement: returnOf,
  if_statement: ifOf,
  for_statement: loopOf,
  expression_switch_statement: switchOf,
  type_switch_statement: typeSwitchOf,
  select_statement: selectOf,
  break_statement: (_, node) => [{ kind: 'break', at: rangeOf(node) }],
  continue_statement: (_, node) => [{ kind: 'continue', at: rangeOf(node) }],
  goto_statement: () => [],
  fallthrough_statement: () => [],
  empty_statement: () => [],
}

function insideOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const [inside] = namedChildren(node)
  return inside ? [expressionStatement(rangeOf(node), reading.expression(inside))] : []
}

function stepOf(reading: Reading, node: SyntaxNode, operator: string): Stmt[] {
  const [target] = namedChildren(node)
  if (!target) return []
  const at = rangeOf(node)
  const value: Expr = {
    kind: 'assign',
    at,
    target: reading.expression(target),
    operator,
    value: literal(at, 1),
  }
  return [expressionStatement(at, value)]
}

/** A channel holds the value sent to it. */
function sendOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const [channel, value] = [childByField(node, 'channel'), childByField(node, 'value')]
  if (!channel || !value) return []
  const at = rangeOf(node)
  return [
    expressionStatement(at, {
      kind: 'assign',
      at,
      target: reading.expression(channel),
      operator: null,
      value: reading.expression(value),
    }),
  ]
}

/** The variables declared by an `if` or `switch` are scoped to it. */
function withInitializer(reading: Reading, node: SyntaxNode, statement: Stmt): Stmt[] {
  const initializer = childByField(node, 'initializer')
  return initializer ? [block(rangeOf(node), [...statementOf(reading, initializer), statement])] : [statement]
}

function ifOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const [test, then, otherwise] = ['condition', 'consequence', 'alternative'].map((field) =>
    childByField(node, field),
  )
  const at = rangeOf(node)
  const statement = branch(
    at,
    test ? asQuestion(reading.expression(test)) : otherExpr(at),
    then ? statementsOf(reading, then) : [],
    otherwise ? statementOf(reading, otherwise) : [],
  )
  return withInitializer(reading, node, statement)
}

const ENDLESS = { setup: [], test: null, step: [], each: null, eachKey: null, over: null }

function loopOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const body = childByField(node, 'body')
  const head = namedChildren(node).find(({ field }) => field !== 'body')
  const loop = {
    ...ENDLESS,
    kind: 'loop' as const,
    at,
    body: body ? statementsOf(reading, body) : [],
  }
  if (!head) return [loop]
  if (head.type === 'range_clause') return [{ ...loop, ...rangeClauseOf(reading, head) }]
  if (head.type !== 'for_clause') return [{ ...loop, test: reading.expression(head) }]
  const [setup, test, step] = ['initializer', 'condition', 'update'].map((field) => childByField(head, field))
  return [
    {
      ...loop,
      setup: setup ? statementOf(reading, setup) : [],
      test: test ? reading.expression(test) : null,
      step: step ? statementOf(reading, step) : [],
    },
  ]
}

function rangeClauseOf(reading: Reading, head: SyntaxNode) {
  const left = childByField(head, 'left')
  const right = childByField(head, 'right')
  const [key, value] = left ? namedChildren(left).map((part) => reading.expression(part)) : []
  return {
    eachKey: key ?? null,
    each: value ?? null,
    over: right ? reading.expression(right) : null,
  }
}

function switchOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const subject = childByField(node, 'value')
  return withInitializer(reading, node, {
    kind: 'switch',
    at: rangeOf(node),
    subject: subject ? reading.expression(subject) : null,
    cases: casesOf(reading, node, (each) => {
      const value = childByField(each, 'value')
      return value ? namedChildren(value).map((test) => reading.expression(test)) : []
    }),
  })
}

const bodyOf = (each: SyntaxNode): SyntaxNode[] =>
  namedChildren(each).flatMap((part) => (part.type === 'statement_list' ? namedChildren(part) : []))

function casesOf(reading: Reading, node: SyntaxNode, testsOf: (each: SyntaxNode) => Expr[]): Case[] {
  return namedChildren(node)
    .filter(({ type }) => type.endsWith('_case'))
    .map((each) => {
      const body = bodyOf(each)
      return {
        tests: testsOf(each),
        body: body.flatMap((part) => statementOf(reading, part)),
        hasNoFallthrough: body.at(-1)?.type !== 'fallthrough_statement',
      }
    })
}

/** `switch v := x.(type)`: each case has its own `v`. */
function typeSwitchOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const subject = childByField(node, 'value')
  const alias = childByField(node, 'alias')
  const value = subject ? reading.expression(subject) : otherExpr(rangeOf(node))
  const [name] = alias ? namedChildren(alias) : []
  const cases = namedChildren(node)
    .filter(({ type }) => type.endsWith('_case'))
    .map((each): Case => {
      const types = namedChildren(each).filter(({ field }) => field === 'type')
      const body = bodyOf(each)
      const [only] = types
      const type = only && types.length === 1 ? sourceOf(reading, only) : null
      return {
        tests: types.map((part) => otherExpr(rangeOf(part))),
        body: [
          ...(name ? [aliasOf(reading, name, value, type)] : []),
          ...body.flatMap((part) => statementOf(reading, part)),
        ],
        hasNoFallthrough: true,
      }
    })
  return withInitializer(reading, node, { kind: 'switch', at: rangeOf(node), subject: null, cases })
}

function aliasOf(reading: Reading, name: SyntaxNode, value: Expr, type: string | null): Stmt {
  const at = rangeOf(name)
  return declaration(
    at,
    nameExpr(at, sourceOf(reading, name)),
    type ? { kind: 'cast', at, type, value } : value,
  )
}

function selectOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const cases = namedChildren(node)
    .filter(({ type }) => type.endsWith('_case'))
    .map((each): Case => {
      const heard = childByField(each, 'communication')
      const body = bodyOf(each)
      return {
        tests: heard ? [otherExpr(rangeOf(heard))] : [],
        body: [
          ...(heard ? receiveOf(reading, heard) : []),
          ...body.flatMap((part) => statementOf(reading, part)),
        ],
        hasNoFallthrough: true,
      }
    })
  return [{ kind: 'switch', at: rangeOf(node), subject: null, cases }]
}

function receiveOf(reading: Reading, node: SyntaxNode): Stmt[] {
  if (node.type !== 'receive_statement') return statementOf(reading, node)
  return childByField(node, 'left') ? shortDeclaration(reading, node) : insideOf(reading, node)
}
