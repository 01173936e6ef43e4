// Interprets the body of a loop twice, so that writes of one iteration reach the next, and joins the
// results.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import type { StmtOf } from '../../ir.ts'
import type { Branch, JumpTarget, Machine, Variable } from '../machine.ts'
import { isSameValue, itemsOf, truthiness } from '../values/values.ts'
import {
  branch,
  createScope,
  currentValue,
  FUNCTION_SCOPED,
  merge,
  pushJumpTarget,
} from '../values/variables.ts'
import { bind } from './assign.ts'

const ITERATIONS = 2
const NO_ITERATION: Branch = { isAlive: true, writes: new Map() }

export function executeLoop(m: Machine, stmt: StmtOf<'loop'>): boolean {
  const { frame } = m
  const { scope, conditions } = frame
  if (!FUNCTION_SCOPED.has(m.language)) frame.scope = createScope(scope, frame)
  m.operations.execute(m, stmt.setup)
  const over = stmt.over ? m.operations.evaluate(m, stmt.over) : null
  frame.loops += 1
  if (stmt.test) frame.conditions = [stmt.test, ...conditions]
  const landing = pushJumpTarget(m, 'loop')
  const isAlive = runIterations(m, stmt, over, landing)
  frame.jumpTargets.pop()
  frame.loops -= 1
  frame.conditions = conditions
  frame.scope = scope
  return isAlive
}

function runIterations(
  m: Machine,
  stmt: StmtOf<'loop'>,
  over: AbstractValue | null,
  landing: JumpTarget,
): boolean {
  let isEndless = false
  for (let round = 0; round < ITERATIONS; round++) {
    const holds = stmt.test ? truthiness(m.operations.evaluate(m, stmt.test)) : undefined
    if (holds === false) break
    isEndless = (stmt.test === null && stmt.over === null) || holds === true
    const declaredBefore = m.variables
    const way = branch(m, () => {
      if (stmt.test && holds === undefined) m.operations.refine(m, stmt.test, true)
      bindItem(m, stmt, over)
      const isOver = !m.operations.execute(m, stmt.body)
      if (!isOver) m.operations.execute(m, stmt.step)
      return !isOver
    })
    const state = stateBefore(m, [way.writes, landing.writes], declaredBefore)
    merge(m, [NO_ITERATION, way, { isAlive: true, writes: landing.writes }])
    // The iteration changed nothing that the next one can see, so that would be the same.
    if (!FUNCTION_SCOPED.has(m.language) && isUnchanged(m, state)) break
  }
  if (isEndless && !landing.isReached) return false
  if (stmt.test && !landing.isReached) m.operations.refine(m, stmt.test, false)
  return true
}

type State = ReadonlyMap<Variable, AbstractValue>

/** The values before the iteration of the variables that it wrote, without those that it declared itself. */
function stateBefore(m: Machine, written: readonly Branch['writes'][], declaredBefore: number): State {
  const state = new Map<Variable, AbstractValue>()
  for (const writes of written)
    for (const variable of writes.keys())
      if (variable.order <= declaredBefore) state.set(variable, currentValue(m.overlay, variable))
  return state
}

function isUnchanged(m: Machine, state: State): boolean {
  for (const [variable, before] of state)
    if (!isSameValue(currentValue(m.overlay, variable), before)) return false
  return true
}

function bindItem(m: Machine, { each, eachKey }: StmtOf<'loop'>, over: AbstractValue | null): void {
  if (!over) return
  if (eachKey) bind(m, eachKey, keysOf(over), { isDeclared: true, type: null })
  if (each) bind(m, each, itemsOf(over), { isDeclared: true, type: null })
}

/** A tainted object also taints its keys, unless all keys are known. */
function keysOf(over: AbstractValue): AbstractValue {
  if (over.size !== undefined) return { taints: [], type: 'number' }
  return over.taints.length > 0 ? { taints: over.taints } : UNTAINTED
}
