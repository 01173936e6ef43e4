// Lowers `if`, `when` and `try`, which are statements and expressions.

import type { Case, Expr, Stmt } from '../../ir.ts'
import {
  block,
  branch,
  callExpr,
  conditionalExpr,
  declaration,
  nameExpr,
  otherExpr,
  rangeOf,
} from '../../ir-builders.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { assignedValue, childOfType, hasToken, type LoweringContext, nameText } from './context.ts'
import { emptyFunction, returningLast } from './functions.ts'
import { typeName, typeNodeOf } from './types.ts'

/** How a branch is lowered: its statements, or its statements with the last one returned. */
type Body = (lowering: LoweringContext, nodes: readonly SyntaxNode[]) => Stmt[]

export const asStatements: Body = (lowering, nodes) => lowering.visit.statements(lowering, nodes)

const nodesOf = (node: SyntaxNode | undefined): readonly SyntaxNode[] =>
  node ? (node.type === 'block' ? namedChildren(node) : [node]) : []

type IfParts = {
  readonly test: SyntaxNode | undefined
  readonly then?: SyntaxNode
  readonly otherwise?: SyntaxNode
}

function ifParts(node: SyntaxNode): IfParts {
  const test = childByField(node, 'condition')
  const elseAt = node.children.findIndex(({ isNamed, type }) => !isNamed && type === 'else')
  const [before, after] =
    elseAt === -1 ? [node.children, []] : [node.children.slice(0, elseAt), node.children.slice(elseAt + 1)]
  const then = namedChildren({ ...node, children: before }).findLast((part) => part !== test)
  const [otherwise] = namedChildren({ ...node, children: after })
  return { test, ...(then && { then }), ...(otherwise && { otherwise }) }
}

export function ifStatement(lowering: LoweringContext, node: SyntaxNode, body: Body): Stmt[] {
  const { test, then, otherwise } = ifParts(node)
  const condition = test ? lowering.visit.expression(lowering, test) : otherExpr(rangeOf(node))
  return [branch(rangeOf(node), condition, body(lowering, nodesOf(then)), body(lowering, nodesOf(otherwise)))]
}

/** Branches of one expression are a conditional. Others are an immediately called function. */
export function ifExpression(lowering: LoweringContext, node: SyntaxNode): Expr {
  const { test, then, otherwise } = ifParts(node)
  const [one, other] = [single(then), single(otherwise)]
  if (!test || !one || !other) return immediate(lowering, node, ifStatement)
  const { expression } = lowering.visit
  return conditionalExpr(
    rangeOf(node),
    expression(lowering, test),
    expression(lowering, one),
    expression(lowering, other),
  )
}

function single(node: SyntaxNode | undefined): SyntaxNode | undefined {
  const [only, ...rest] = nodesOf(node)
  const isJump =
    only && /^(?:return_expression|throw_expression|assignment)$|_declaration$|_statement$/.test(only.type)
  return rest.length === 0 && !isJump ? only : undefined
}

function immediate(
  lowering: LoweringContext,
  node: SyntaxNode,
  statement: (lowering: LoweringContext, node: SyntaxNode, body: Body) => Stmt[],
): Expr {
  const at = rangeOf(node)
  const definition = { ...emptyFunction(node), body: statement(lowering, node, returningLast) }
  return callExpr(at, { at, kind: 'function', definition }, [])
}

type Subject = { readonly before: readonly Stmt[]; readonly value: Expr | null }

function subjectOf(lowering: LoweringContext, node: SyntaxNode): Subject {
  const subject = childOfType(node, 'when_subject')
  if (!subject) return { before: [], value: null }
  const at = rangeOf(subject)
  const declared = childOfType(subject, 'variable_declaration')
  const value = declared ? assignedValue(subject) : namedChildren(subject).at(-1)
  if (!value) return { before: [], value: otherExpr(at) }
  const lowered = lowering.visit.expression(lowering, value)
  if (!declared) return { before: [], value: lowered }
  const target = nameExpr(at, nameText(lowering, childOfType(declared, 'identifier') ?? declared))
  return { before: [declaration(at, target, lowered)], value: target }
}

const entriesOf = (node: SyntaxNode): SyntaxNode[] =>
  namedChildren(node).filter(({ type }) => type === 'when_entry')

const bodyNodeOf = (entry: SyntaxNode): SyntaxNode | undefined =>
  namedChildren(entry).findLast(({ field }) => field !== 'condition')

export function whenStatement(lowering: LoweringContext, node: SyntaxNode, body: Body): Stmt[] {
  const at = rangeOf(node)
  const { before, value } = subjectOf(lowering, node)
  const entries = entriesOf(node)
  const conditions = entries.flatMap((entry) => childrenByField(entry, 'condition'))
  const isSwitch = value !== null && conditions.every(({ type }) => !/^(?:type_test|range_test)$/.test(type))
  const made = isSwitch
    ? [
        {
          at,
          kind: 'switch' as const,
          subject: value,
          cases: entries.map((entry) => caseFrom(lowering, entry, body)),
        },
      ]
    : entries.reduceRight<Stmt[]>((otherwise, entry) => {
        const test = testOf(lowering, entry, value)
        const then = body(lowering, nodesOf(bodyNodeOf(entry)))
        return test ? [branch(rangeOf(entry), test, then, otherwise)] : then
      }, [])
  return before.length > 0 ? [block(at, [...before, ...made])] : made
}

const caseFrom = (lowering: LoweringContext, entry: SyntaxNode, body: Body): Case => ({
  tests: childrenByField(entry, 'condition').map((part) => lowering.visit.expression(lowering, part)),
  body: body(lowering, nodesOf(bodyNodeOf(entry))),
  hasNoFallthrough: true,
})

/** Undefined for `else`. */
function testOf(lowering: LoweringContext, entry: SyntaxNode, subject: Expr | null): Expr | undefined {
  const at = rangeOf(entry)
  const tests = childrenByField(entry, 'condition').map((part) => conditionOf(lowering, part, subject))
  if (tests.length === 0) return undefined
  return tests.reduce((left, right): Expr => ({ at, kind: 'binary', operator: '||', left, right }))
}

function conditionOf(lowering: LoweringContext, part: SyntaxNode, subject: Expr | null): Expr {
  const at = rangeOf(part)
  if (!subject) return lowering.visit.expression(lowering, part)
  const [asked] = namedChildren(part)
  if (part.type === 'type_test') {
    const test: Expr = {
      at,
      kind: 'binary',
      operator: 'instanceof',
      left: subject,
      right: nameExpr(at, typeName(lowering, typeNodeOf(part)) ?? ''),
    }
    return hasToken(part, '!is') ? { at, kind: 'unary', operator: '!', operand: test } : test
  }
  if (part.type === 'range_test' && asked) {
    const operator = hasToken(part, '!in') ? 'not in' : 'in'
    return { at, kind: 'binary', operator, left: subject, right: lowering.visit.expression(lowering, asked) }
  }
  return {
    at,
    kind: 'binary',
    operator: '==',
    left: subject,
    right: lowering.visit.expression(lowering, part),
  }
}

export function whenExpression(lowering: LoweringContext, node: SyntaxNode): Expr {
  const { before, value } = subjectOf(lowering, node)
  const entries = entriesOf(node).filter((entry) => bodyNodeOf(entry)?.type !== 'throw_expression')
  const isPlain =
    before.length === 0 && entries.length > 0 && entries.every((entry) => single(bodyNodeOf(entry)))
  if (!isPlain) return immediate(lowering, node, whenStatement)
  return entries.reduceRight<Expr>(
    (otherwise, entry) => {
      const body = single(bodyNodeOf(entry)) ?? entry
      const lowered = lowering.visit.expression(lowering, body)
      const test = testOf(lowering, entry, value)
      return test ? conditionalExpr(rangeOf(entry), test, lowered, otherwise) : lowered
    },
    { at: rangeOf(node), kind: 'literal', value: null },
  )
}

export function tryStatement(lowering: LoweringContext, node: SyntaxNode, body: Body): Stmt[] {
  const parts = namedChildren(node)
  const last = parts.find(({ type }) => type === 'finally_block')
  const handlers = parts
    .filter(({ type }) => type === 'catch_block')
    .map((clause) => {
      const name = childOfType(clause, 'identifier')
      return {
        target: name ? nameExpr(rangeOf(name), nameText(lowering, name)) : null,
        body: body(lowering, nodesOf(childOfType(clause, 'block'))),
      }
    })
  const tried = body(lowering, nodesOf(childOfType(node, 'block')))
  const finalizer = last ? asStatements(lowering, nodesOf(childOfType(last, 'block'))) : []
  return [{ at: rangeOf(node), kind: 'try', body: tried, handlers, finalizer }]
}

export const tryExpression = (lowering: LoweringContext, node: SyntaxNode): Expr =>
  immediate(lowering, node, tryStatement)
