// Runs the statements of a handler in order and follows which branches continue.

import type { Expr, Stmt, StmtOf } from '../../ir.ts'
import { isExit, kindOfCall } from './calls.ts'
import { evaluate } from './evaluate.ts'
import { dottedName, type Fact, UNKNOWN } from './facts.ts'
import { bind, type Walk, writeName } from './walk.ts'

export function execute(walk: Walk, body: readonly Stmt[]): boolean {
  for (const stmt of body) {
    if (walk.stepsLeft < 0) return true
    if (!executeOne(walk, stmt)) return false
  }
  return true
}

function executeOne(walk: Walk, stmt: Stmt): boolean {
  switch (stmt.kind) {
    case 'expression':
      return executeExpression(walk, stmt.value)
    case 'declare': {
      if (!stmt.value) return true
      // Go: the error of the call before.
      const isError = stmt.value.kind === 'other' && stmt.value.parts.length === 0
      const fact = isError ? walk.lastError : evaluate(walk, stmt.value)
      trustNamedCheck(walk, stmt.value, stmt.target)
      bind(walk, stmt.target, fact, true)
      return true
    }
    case 'if':
      return executeIf(walk, stmt)
    case 'loop':
      return executeLoop(walk, stmt)
    case 'switch':
      return executeSwitch(walk, stmt)
    case 'return':
      walk.exits.push(valueAtExit(walk, stmt.value))
      return false
    case 'throw':
      if (stmt.value) evaluate(walk, stmt.value)
      return false
    case 'break':
    case 'continue':
      return false
    case 'try':
      return executeTry(walk, stmt)
    case 'block':
      return execute(walk, stmt.body)
    case 'function':
      writeName(walk, stmt.definition.name, { ...UNKNOWN, definition: stmt.definition }, true)
      return true
    default:
      return true
  }
}

function valueAtExit(walk: Walk, value: Expr | null): { isProven: boolean; fact: Fact | null } {
  const fact = value ? evaluate(walk, value) : null
  // `if (!secret) return true`
  if (walk.absentSecret && fact?.isTruthy && fact.text === 'true') walk.optionalChecks.push(walk.absentSecret)
  // A response is returned: `return res.status(401).end()`, `return NextResponse.json(…)`.
  const isValue = value !== null && callIn(value) !== null && fact !== null && fact.tags === 0
  return {
    isProven: walk.isProven,
    fact: isValue && !fact.isFalsy && !fact.whenTrue && !fact.whenFalse ? { ...fact, isTruthy: true } : fact,
  }
}

const callIn = (expr: Expr): Extract<Expr, { kind: 'call' }> | null =>
  expr.kind === 'call' ? expr : expr.kind === 'same' ? callIn(expr.value) : null

function executeExpression(walk: Walk, expr: Expr): boolean {
  const call = callIn(expr)
  evaluate(walk, expr)
  if (!call) return true
  if (isExit(call) || (walk.endsWithResponse && isResponse(call))) return false
  trustNamedCheck(walk, call, null)
  return true
}

const isResponse = ({ callee }: Extract<Expr, { kind: 'call' }>): boolean =>
  callee.kind === 'name' &&
  /^(?:head|render|redirect_to|\w*(?:unauthori[sz]ed|forbidden|deny|reject)\w*!?)$/i.test(callee.name)

const VERDICT_NAME = /valid|ok$|verified|match|^is|authentic|result|check|allowed|trusted|equal/i

/**
 * A check in code that was not scanned, such as `verifySignature(req)`, throws if its result is not used as a
 * condition.
 */
function trustNamedCheck(walk: Walk, value: Expr, target: Expr | null): void {
  const call = callIn(value)
  if (!call || walk.language === 'go') return
  const name = dottedName(call.callee)
  if (kindOfCall(name, []) !== 'named check' || walk.resolve(call, name, walk)) return
  const bound = target?.kind === 'name' ? target.name : ''
  if (target === null ? /(?:^|\.)(?:is|has)[A-Z_]/.test(name) : VERDICT_NAME.test(bound)) return
  walk.isProven = true
}

type Outcome = { readonly isAlive: boolean; readonly isProven: boolean }

function branch(walk: Walk, isProven: boolean, run: () => boolean): Outcome {
  walk.isProven = isProven
  const isAlive = run()
  return { isAlive, isProven: walk.isProven }
}

/** Execution continues if any branch does. The sender is authenticated if every such branch authenticates it. */
function merge(walk: Walk, outcomes: readonly Outcome[]): boolean {
  const alive = outcomes.filter(({ isAlive }) => isAlive)
  walk.isProven = alive.length > 0 && alive.every(({ isProven }) => isProven)
  return alive.length > 0
}

function executeIf(walk: Walk, { test, then, otherwise, at }: StmtOf<'if'>): boolean {
  const fact = evaluate(walk, test)
  const before = walk.isProven
  const isDevelopment = isEnvironmentTest(test)
  const absent = walk.absentSecret
  const isAbsence = fact.isSecretPresence === true && !before
  const run = (body: readonly Stmt[], isProven: boolean, isDevelopmentOnly: boolean) =>
    branch(walk, before || isProven || isDevelopmentOnly, () => {
      walk.absentSecret = isAbsence && isProven ? test.at : absent
      return execute(walk, body)
    })
  const one = run(then, fact.whenTrue, isDevelopment === true)
  const other = run(otherwise, fact.whenFalse, isDevelopment === false)
  walk.absentSecret = absent
  const isOptional = fact.isSecretPresence && fact.whenFalse && one.isAlive && one.isProven
  if (isOptional && !before && then.length > 0) walk.optionalChecks.push({ ...test.at, endLine: at.line })
  return merge(walk, [one, other])
}

/** `NODE_ENV !== 'production'`: true if the condition holds only in development, false if only in production. */
function isEnvironmentTest(test: Expr): boolean | null {
  if (test.kind === 'same') return isEnvironmentTest(test.value)
  if (test.kind === 'unary' && test.operator === '!') {
    const inner = isEnvironmentTest(test.operand)
    return inner === null ? null : !inner
  }
  if (test.kind === 'binary' && /^[!=]==?$/.test(test.operator)) {
    const text = [test.left, test.right].map((side) => (side.kind === 'literal' ? String(side.value) : ''))
    const named = `${dottedName(test.left)} ${dottedName(test.right)}`
    if (!/NODE_ENV|APP_ENV|ENVIRONMENT|environment|\benv\b/i.test(named)) return null
    const isEqual = test.operator.startsWith('=')
    if (text.some((each) => /^prod/i.test(each))) return !isEqual
    return text.some((each) => /^(?:dev|test|local|sandbox)/i.test(each)) ? isEqual : null
  }
  return /(?:^|\.)(?:DEBUG|isDevelopment|isDev|IS_DEV)$/.test(dottedName(test)) ? true : null
}

function executeLoop(walk: Walk, { setup, test, step, each, eachKey, over, body }: StmtOf<'loop'>): boolean {
  execute(walk, setup)
  const items = over ? evaluate(walk, over) : UNKNOWN
  if (each) bind(walk, each, items, true)
  if (eachKey) bind(walk, eachKey, items, true)
  if (test) evaluate(walk, test)
  const before = walk.isProven
  execute(walk, body)
  execute(walk, step)
  walk.isProven = before
  return true
}

function executeSwitch(walk: Walk, { subject, cases }: StmtOf<'switch'>): boolean {
  const fact = subject ? evaluate(walk, subject) : UNKNOWN
  const before = walk.isProven || fact.whenTrue
  const outcomes = cases.map(({ tests, body }) => {
    let isProven = before
    for (const test of tests) {
      walk.isProven = before
      const each = evaluate(walk, test)
      if (!subject || (subject.kind === 'literal' && subject.value === true)) isProven ||= each.whenTrue
    }
    const outcome = branch(walk, isProven, () => execute(walk, body))
    return { ...outcome, isAlive: outcome.isAlive || endsWithBreak(body) }
  })
  if (!cases.some(({ tests }) => tests.length === 0)) outcomes.push({ isAlive: true, isProven: before })
  return merge(walk, outcomes)
}

const endsWithBreak = (body: readonly Stmt[]): boolean =>
  body.some((stmt) => stmt.kind === 'break' || (stmt.kind === 'block' && endsWithBreak(stmt.body)))

function executeTry(walk: Walk, { body, handlers, finalizer }: StmtOf<'try'>): boolean {
  const before = walk.isProven
  const outcomes = [branch(walk, before, () => execute(walk, body))]
  for (const handler of handlers) {
    if (handler.target) bind(walk, handler.target, UNKNOWN, true)
    outcomes.push(branch(walk, before, () => execute(walk, handler.body)))
  }
  const isAlive = merge(walk, outcomes)
  const after = walk.isProven
  const continues = execute(walk, finalizer)
  walk.isProven ||= after
  return isAlive && continues
}
