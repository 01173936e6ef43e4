// Loops: twice through the body, so that what one round writes is seen by the next; then what any number of rounds may leave.

import { CLEAN, type Value } from '../../abstract-value.ts'
import type { StmtOf } from '../../ir.ts'
import type { Branch, Landing, Machine } from '../machine.ts'
import { itemsOf, truth } from '../values/values.ts'
import { branch, land, merge, scopeIn } from '../values/variables.ts'
import { bind } from './assign.ts'

const ROUNDS = 2
const STAYS: Branch = { isAlive: true, writes: new Map() }

export function executeLoop(m: Machine, stmt: StmtOf<'loop'>): boolean {
  const { frame } = m
  const { scope, conditions } = frame
  if (m.language !== 'python' && m.language !== 'php') frame.scope = scopeIn(scope, frame)
  m.parts.execute(m, stmt.setup)
  const over = stmt.over ? m.parts.evaluate(m, stmt.over) : null
  frame.loops += 1
  if (stmt.test) frame.conditions = [stmt.test, ...conditions]
  const landing = land(m, 'loop')
  const isAlive = rounds(m, stmt, over, landing)
  frame.landings.pop()
  frame.loops -= 1
  frame.conditions = conditions
  frame.scope = scope
  return isAlive
}

function rounds(m: Machine, stmt: StmtOf<'loop'>, over: Value | null, landing: Landing): boolean {
  let isEndless = false
  for (let round = 0; round < ROUNDS; round++) {
    const holds = stmt.test ? truth(m.parts.evaluate(m, stmt.test)) : undefined
    if (holds === false) break
    isEndless = (stmt.test === null && stmt.over === null) || holds === true
    const way = branch(m, () => {
      if (stmt.test && holds === undefined) m.parts.refine(m, stmt.test, true)
      bindItem(m, stmt, over)
      const isOver = !m.parts.execute(m, stmt.body)
      if (!isOver) m.parts.execute(m, stmt.step)
      return !isOver
    })
    merge(m, [STAYS, way, { isAlive: true, writes: landing.escaped }])
  }
  if (isEndless && !landing.isReached) return false
  if (stmt.test && !landing.isReached) m.parts.refine(m, stmt.test, false)
  return true
}

function bindItem(m: Machine, { each, eachKey }: StmtOf<'loop'>, over: Value | null): void {
  if (!over) return
  if (eachKey) bind(m, eachKey, keysOf(over), { isDeclared: true, type: null })
  if (each) bind(m, each, itemsOf(over), { isDeclared: true, type: null })
}

/** Whoever decides what is in an object decides its keys, unless they are all known. */
function keysOf(over: Value): Value {
  if (over.size !== undefined) return { taints: [], type: 'number' }
  return over.taints.length > 0 ? { taints: over.taints } : CLEAN
}
