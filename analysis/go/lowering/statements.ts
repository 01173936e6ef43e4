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
import { type LoweringContext, sourceOf } from './context.ts'
import { asMembershipTest } from './expressions.ts'

/** The statements of a block, a case or a file. */
export function statementsOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  return namedChildren(node).flatMap((part) => statementOf(lowering, part))
}

function statementOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const lower = LOWERING[node.type]
  if (lower) return lower(lowering, node)
  return node.type.endsWith('_declaration') || node.type === 'label_name'
    ? []
    : [expressionStatement(rangeOf(node), lowering.expression(node))]
}

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Stmt[]

const LOWERING: Readonly<Record<string, Lower>> = {
  block: (lowering, node) => [block(rangeOf(node), statementsOf(lowering, node))],
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
  inc_statement: (lowering, node) => stepOf(lowering, node, '+'),
  dec_statement: (lowering, node) => stepOf(lowering, node, '-'),
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

function insideOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [inside] = namedChildren(node)
  return inside ? [expressionStatement(rangeOf(node), lowering.expression(inside))] : []
}

function stepOf(lowering: LoweringContext, node: SyntaxNode, operator: string): Stmt[] {
  const [target] = namedChildren(node)
  if (!target) return []
  const at = rangeOf(node)
  const value: Expr = {
    kind: 'assign',
    at,
    target: lowering.expression(target),
    operator,
    value: literal(at, 1),
  }
  return [expressionStatement(at, value)]
}

/** A channel holds the value sent to it. */
function sendOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [channel, value] = [childByField(node, 'channel'), childByField(node, 'value')]
  if (!channel || !value) return []
  const at = rangeOf(node)
  return [
    expressionStatement(at, {
      kind: 'assign',
      at,
      target: lowering.expression(channel),
      operator: null,
      value: lowering.expression(value),
    }),
  ]
}

/** The variables declared by an `if` or `switch` are scoped to it. */
function withInitializer(lowering: LoweringContext, node: SyntaxNode, statement: Stmt): Stmt[] {
  const initializer = childByField(node, 'initializer')
  return initializer
    ? [block(rangeOf(node), [...statementOf(lowering, initializer), statement])]
    : [statement]
}

function ifOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [test, then, otherwise] = ['condition', 'consequence', 'alternative'].map((field) =>
    childByField(node, field),
  )
  const at = rangeOf(node)
  const statement = branch(
    at,
    test ? asMembershipTest(lowering.expression(test)) : otherExpr(at),
    then ? statementsOf(lowering, then) : [],
    otherwise ? statementOf(lowering, otherwise) : [],
  )
  return withInitializer(lowering, node, statement)
}

const ENDLESS = { setup: [], test: null, step: [], each: null, eachKey: null, over: null }

function loopOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  const body = childByField(node, 'body')
  const head = namedChildren(node).find(({ field }) => field !== 'body')
  const loop = {
    ...ENDLESS,
    kind: 'loop' as const,
    at,
    body: body ? statementsOf(lowering, body) : [],
  }
  if (!head) return [loop]
  if (head.type === 'range_clause') return [{ ...loop, ...rangeClauseOf(lowering, head) }]
  if (head.type !== 'for_clause') return [{ ...loop, test: lowering.expression(head) }]
  const [setup, test, step] = ['initializer', 'condition', 'update'].map((field) => childByField(head, field))
  return [
    {
      ...loop,
      setup: setup ? statementOf(lowering, setup) : [],
      test: test ? lowering.expression(test) : null,
      step: step ? statementOf(lowering, step) : [],
    },
  ]
}

function rangeClauseOf(lowering: LoweringContext, head: SyntaxNode) {
  const left = childByField(head, 'left')
  const right = childByField(head, 'right')
  const [key, value] = left ? namedChildren(left).map((part) => lowering.expression(part)) : []
  return {
    eachKey: key ?? null,
    each: value ?? null,
    over: right ? lowering.expression(right) : null,
  }
}

function switchOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const subject = childByField(node, 'value')
  return withInitializer(lowering, node, {
    kind: 'switch',
    at: rangeOf(node),
    subject: subject ? lowering.expression(subject) : null,
    cases: casesOf(lowering, node, (each) => {
      const value = childByField(each, 'value')
      return value ? namedChildren(value).map((test) => lowering.expression(test)) : []
    }),
  })
}

const bodyOf = (each: SyntaxNode): SyntaxNode[] =>
  namedChildren(each).flatMap((part) => (part.type === 'statement_list' ? namedChildren(part) : []))

function casesOf(lowering: LoweringContext, node: SyntaxNode, testsOf: (each: SyntaxNode) => Expr[]): Case[] {
  return namedChildren(node)
    .filter(({ type }) => type.endsWith('_case'))
    .map((each) => {
      const body = bodyOf(each)
      return {
        tests: testsOf(each),
        body: body.flatMap((part) => statementOf(lowering, part)),
        hasNoFallthrough: body.at(-1)?.type !== 'fallthrough_statement',
      }
    })
}

/** `switch v := x.(type)`: each case has its own `v`. */
function typeSwitchOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const subject = childByField(node, 'value')
  const alias = childByField(node, 'alias')
  const value = subject ? lowering.expression(subject) : otherExpr(rangeOf(node))
  const [name] = alias ? namedChildren(alias) : []
  const cases = namedChildren(node)
    .filter(({ type }) => type.endsWith('_case'))
    .map((each): Case => {
      const types = namedChildren(each).filter(({ field }) => field === 'type')
      const body = bodyOf(each)
      const [only] = types
      const type = only && types.length === 1 ? sourceOf(lowering, only) : null
      return {
        tests: types.map((part) => otherExpr(rangeOf(part))),
        body: [
          ...(name ? [aliasOf(lowering, name, value, type)] : []),
          ...body.flatMap((part) => statementOf(lowering, part)),
        ],
        hasNoFallthrough: true,
      }
    })
  return withInitializer(lowering, node, { kind: 'switch', at: rangeOf(node), subject: null, cases })
}

function aliasOf(lowering: LoweringContext, name: SyntaxNode, value: Expr, type: string | null): Stmt {
  const at = rangeOf(name)
  return declaration(
    at,
    nameExpr(at, sourceOf(lowering, name)),
    type ? { kind: 'cast', at, type, value } : value,
  )
}

function selectOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const cases = namedChildren(node)
    .filter(({ type }) => type.endsWith('_case'))
    .map((each): Case => {
      const heard = childByField(each, 'communication')
      const body = bodyOf(each)
      return {
        tests: heard ? [otherExpr(rangeOf(heard))] : [],
        body: [
          ...(heard ? receiveOf(lowering, heard) : []),
          ...body.flatMap((part) => statementOf(lowering, part)),
        ],
        hasNoFallthrough: true,
      }
    })
  return [{ kind: 'switch', at: rangeOf(node), subject: null, cases }]
}

function receiveOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  if (node.type !== 'receive_statement') return statementOf(lowering, node)
  return childByField(node, 'left') ? shortDeclaration(lowering, node) : insideOf(lowering, node)
}
