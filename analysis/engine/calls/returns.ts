// Leaving a function: what it gives back, and what is true of its parameters then.

import { CLEAN, type Value } from '../../abstract-value.ts'
import type { Expr, Stmt, StmtOf } from '../../ir.ts'
import type { Machine } from '../machine.ts'
import { tellReturn } from '../rule-events.ts'
import { join, truth, withStep } from '../values/values.ts'
import { branch, exit, memberReader } from '../values/variables.ts'

export function executeReturn(m: Machine, stmt: Stmt & StmtOf<'return'>): void {
  const value = stmt.value ? m.parts.evaluate(m, stmt.value) : CLEAN
  tellReturn(m, stmt, value, stmt.value, stmt.at)
  const { file, returned } = m.frame
  const told = withStep(value, { path: file.path, at: stmt.at, what: 'returned' })
  m.frame.returned = returned ? join(returned, told, memberReader(m)) : told
  leaveWith(m, stmt.value ? value : { known: null, taints: [] }, stmt.value)
}

/** Where a caller asks about one answer, the ways out that give the other do not count. */
export function leaveWith(m: Machine, value: Value, expr: Expr | null): void {
  const { asked } = m.frame
  if (asked === null) {
    exit(m)
    return
  }
  const answer = truth(value)
  if (answer !== undefined) {
    if (answer === asked) exit(m)
    return
  }
  branch(m, () => {
    if (expr) m.parts.refine(m, expr, asked)
    exit(m)
    return true
  })
}
