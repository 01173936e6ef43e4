// Returns: the result of a function and the state of its parameters.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import type { Expr, Stmt, StmtOf } from '../../ir.ts'
import type { Machine } from '../machine.ts'
import { emitReturn } from '../rule-events.ts'
import { join, truthiness, withStep } from '../values/values.ts'
import { branch, memberReader, recordExit } from '../values/variables.ts'

export function executeReturn(m: Machine, stmt: Stmt & StmtOf<'return'>): void {
  const value = stmt.value ? m.operations.evaluate(m, stmt.value) : UNTAINTED
  emitReturn(m, stmt, value, stmt.value, stmt.at)
  const { file, returned } = m.frame
  const traced = withStep(value, { path: file.path, at: stmt.at, what: 'returned' })
  m.frame.returned = returned ? join(returned, traced, memberReader(m)) : traced
  recordReturn(m, stmt.value ? value : { known: null, taints: [] }, stmt.value)
}

/** When the caller expects one boolean, exits with the other are ignored. */
export function recordReturn(m: Machine, value: AbstractValue, expr: Expr | null): void {
  const { expectedReturn: asked } = m.frame
  if (asked === null) {
    recordExit(m)
    return
  }
  const answer = truthiness(value)
  if (answer !== undefined) {
    if (answer === asked) recordExit(m)
    return
  }
  branch(m, () => {
    if (expr) m.operations.refine(m, expr, asked)
    recordExit(m)
    return true
  })
}
