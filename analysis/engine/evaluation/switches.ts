// Switch statements: runs the matching case if the subject is known, otherwise all of them.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import type { Case, Expr, StmtOf } from '../../ir.ts'
import type { Branch, Machine } from '../machine.ts'
import { assignTo } from '../values/assignable.ts'
import { branch, createScope, FUNCTION_SCOPED, merge, pushJumpTarget } from '../values/variables.ts'

export function executeSwitch(m: Machine, { subject, cases }: StmtOf<'switch'>): boolean {
  const { frame } = m
  const { scope, conditions } = frame
  const value = subject ? m.operations.evaluate(m, subject) : null
  const tests = cases.map((each) => each.tests.map((test) => m.operations.evaluate(m, test)))
  if (!FUNCTION_SCOPED.has(m.language)) frame.scope = createScope(scope, frame)
  if (subject) frame.conditions = [subject, ...conditions]
  const chosen = value ? chosenCase(value, tests, cases) : undefined
  const starts = chosen === undefined ? [...cases.keys()] : chosen === null ? [] : [chosen]
  const ways = starts.map((start) =>
    runCase(m, subject, cases, start, tests[start] ?? [], chosen === undefined),
  )
  const isComplete = cases.some((each) => each.tests.length === 0)
  if (chosen === null || (chosen === undefined && !isComplete))
    ways.push({ isAlive: true, writes: new Map() })
  frame.conditions = conditions
  frame.scope = scope
  return merge(m, ways)
}

/** The only possible case. Null if none matches, undefined if unknown. */
function chosenCase(
  value: AbstractValue,
  tests: readonly (readonly AbstractValue[])[],
  cases: readonly Case[],
): number | null | undefined {
  if (value.known === undefined || tests.flat().some((test) => test.known === undefined)) return undefined
  const fitting = tests.findIndex((each) => each.some((test) => test.known === value.known))
  if (fitting !== -1) return fitting
  const standard = cases.findIndex((each) => each.tests.length === 0)
  return standard === -1 ? null : standard
}

function runCase(
  m: Machine,
  subject: Expr | null,
  cases: readonly Case[],
  start: number,
  tests: readonly AbstractValue[],
  isOpen: boolean,
): Branch {
  const landing = pushJumpTarget(m, 'switch')
  const run = branch(m, () => {
    if (subject && isOpen) refineToCase(m, subject, tests)
    if (!subject && isOpen)
      for (const test of cases[start]?.tests ?? []) if (tests.length === 1) m.operations.refine(m, test, true)
    for (const each of cases.slice(start)) {
      if (!m.operations.execute(m, each.body)) return landing.isReached
      if (each.hasNoFallthrough) return true
    }
    return true
  })
  m.frame.jumpTargets.pop()
  if (!landing.isReached) return run
  // `break` left the case with these writes.
  const writes = new Map(run.writes)
  for (const [variable, value] of landing.writes) writes.set(variable, value)
  return { isAlive: true, writes }
}

/** Inside a case the subject equals one of its constants. */
function refineToCase(m: Machine, subject: Expr, tests: readonly AbstractValue[]): void {
  if (tests.length === 0 || tests.some((test) => test.taints.length > 0 || test.known === undefined)) return
  const [only] = tests
  assignTo(m, subject, tests.length === 1 && only ? only : UNTAINTED)
}
