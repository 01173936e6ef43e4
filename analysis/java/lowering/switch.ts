// Lowers switch statements and expressions.

import type { Case, Expr, Stmt } from '../../ir.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, nameExpr, rangeOf, text, withScope } from './context.ts'
import { isVariableOrField, typeName } from './names.ts'

export function switchStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  return [
    {
      at: rangeOf(node),
      kind: 'switch',
      subject: subjectOf(lowering, node),
      cases: casesOf(lowering, node).map((each) => each.asCase()),
    },
  ]
}

/** A switch of expressions becomes nested conditionals, otherwise an immediately called function. */
export function switchExpression(lowering: LoweringContext, node: SyntaxNode): Expr {
  const subject = subjectOf(lowering, node)
  const arms = casesOf(lowering, node)
  const values = arms.filter(({ isThrow }) => !isThrow)
  if (values.length > 0 && values.every(({ value, isPattern }) => value && !isPattern))
    return conditionals(node, subject, values)
  return immediateCall(lowering, node)
}

type Arm = {
  readonly tests: readonly Expr[]
  readonly value: (() => Expr) | null
  readonly isThrow: boolean
  readonly isPattern: boolean
  readonly asCase: () => Case
}

function conditionals(node: SyntaxNode, subject: Expr, arms: readonly Arm[]): Expr {
  const at = rangeOf(node)
  const sorted = [
    ...arms.filter(({ tests }) => tests.length > 0),
    ...arms.filter(({ tests }) => !tests.length),
  ]
  const values = sorted.map((arm) => ({ arm, value: arm.value?.() ?? subject }))
  return (
    values.reduceRight<Expr | null>((otherwise, { arm, value }) => {
      if (!otherwise) return value
      const asked = arm.tests.map(
        (test): Expr => ({ at: test.at, kind: 'binary', operator: '==', left: subject, right: test }),
      )
      const [first = subject, ...rest] = asked
      const test = rest.reduce(
        (left, right): Expr => ({ at, kind: 'binary', operator: '||', left, right }),
        first,
      )
      return { at, kind: 'conditional', test, then: value, otherwise }
    }, null) ?? subject
  )
}

function immediateCall(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const definition = {
    at,
    name: '',
    parameters: [],
    body: switchStatement(withScope(lowering), node).map(returning),
    annotations: [],
    returnType: null,
    isExpression: false,
    isAsync: false,
    isExported: false,
    isStatic: false,
  }
  return { at, kind: 'call', callee: { at, kind: 'function', definition }, args: [], isNew: false }
}

/** An arm that is an expression returns its value. */
function returning(made: Stmt): Stmt {
  if (made.kind !== 'switch') return made
  const cases = made.cases.map((each) => ({
    ...each,
    body: each.hasNoFallthrough ? each.body.map(returned) : each.body,
  }))
  return { ...made, cases }
}

const returned = (made: Stmt): Stmt =>
  made.kind === 'expression' ? { at: made.at, kind: 'return', value: made.value } : made

function casesOf(lowering: LoweringContext, node: SyntaxNode): Arm[] {
  const body = childByField(node, 'body')
  const subject = childByField(node, 'condition')
  return body && subject ? namedChildren(body).flatMap((part) => armOf(lowering, part, subject)) : []
}

function armOf(lowering: LoweringContext, node: SyntaxNode, subject: SyntaxNode): Arm[] {
  if (!/^switch_(rule|block_statement_group)$/.test(node.type)) return []
  const isClosed = node.type === 'switch_rule'
  const inner = withScope(lowering)
  const labels = namedChildren(node).filter(({ type }) => type === 'switch_label')
  const body = namedChildren(node).filter(({ type }) => type !== 'switch_label')
  const patterns = labels.flatMap((label) => namedChildren(label).filter(({ type }) => type === 'pattern'))
  const declared = patterns.flatMap((pattern) => declaredBy(inner, pattern, subject))
  const tests = labels.flatMap((label) => testsOf(inner, label))
  const [only] = body
  const expression = isClosed && only?.type === 'expression_statement' ? namedChildren(only)[0] : undefined
  return [
    {
      tests,
      value: expression ? () => inner.visit.expression(inner, expression) : null,
      isThrow: isClosed && only?.type === 'throw_statement',
      isPattern: patterns.length > 0,
      asCase: () => ({
        tests,
        body: [...declared, ...inner.visit.statements(inner, body)],
        hasNoFallthrough: isClosed,
      }),
    },
  ]
}

/** Empty for the default, also for `case null, default`. */
function testsOf(lowering: LoweringContext, label: SyntaxNode): Expr[] {
  const parts = namedChildren(label).filter(({ type }) => type !== 'guard')
  if (parts.some((part) => text(lowering, part) === 'default')) return []
  return parts.map((part) =>
    part.type === 'pattern' ? { at: rangeOf(part), kind: 'other', parts: [] } : enumConstant(lowering, part),
  )
}

/** `case RED` names a constant of the subject's type without a qualifier. */
function enumConstant(lowering: LoweringContext, node: SyntaxNode): Expr {
  const name = text(lowering, node)
  return node.type === 'identifier' && /^[A-Z][A-Z0-9_]*$/.test(name) && !isVariableOrField(lowering, name)
    ? { at: rangeOf(node), kind: 'other', parts: [] }
    : lowering.visit.expression(lowering, node)
}

function declaredBy(inner: LoweringContext, pattern: SyntaxNode, subject: SyntaxNode): Stmt[] {
  const [typed] = namedChildren(pattern)
  const [type, name] = typed ? namedChildren(typed) : []
  if (typed?.type !== 'type_pattern' || !type || !name) return []
  inner.scope.variables.set(text(inner, name), null)
  return [
    {
      at: rangeOf(pattern),
      kind: 'declare',
      target: nameExpr(name, text(inner, name)),
      type: typeName(inner, type),
      value: inner.visit.expression(inner, subject),
      isConstant: false,
    },
  ]
}

function subjectOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const subject = childByField(node, 'condition')
  return subject
    ? lowering.visit.expression(lowering, subject)
    : { at: rangeOf(node), kind: 'other', parts: [] }
}
