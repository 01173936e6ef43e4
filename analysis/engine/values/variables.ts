// Variables and their values. A branch writes to an overlay, and overlays are joined at a merge. A step
// therefore costs what it changes, not the size of the state.
import type { AbstractValue } from '../../abstract-value.ts'
import type { Language } from '../../ir.ts'
import {
  type Branch,
  BudgetExceededError,
  type Frame,
  type JumpTarget,
  type Machine,
  type Overlay,
  type Scope,
  type Variable,
} from '../machine.ts'
import { takeValueSteps } from './value-work.ts'
import { join, type ReadMember, withoutConstant } from './values.ts'

/** Each expression and statement counts as one step, and so does the work on large values. */
export function countStep(m: Machine): void {
  m.stepsLeft -= 1 + takeValueSteps()
  if (m.stepsLeft < 0) throw new BudgetExceededError()
}

/** Languages without block scope, in which an assignment declares. */
export const FUNCTION_SCOPED: ReadonlySet<Language> = new Set(['python', 'php', 'ruby'])

export const createScope = (parent: Scope | null, frame: Frame): Scope => ({
  parent,
  names: new Map(),
  frame,
})

export function declare(
  m: Machine,
  name: string,
  value: AbstractValue,
  { scope = m.frame.scope, isWatched = false }: { scope?: Scope; isWatched?: boolean } = {},
): Variable {
  const { frame } = m
  m.variables += 1
  const isShared = frame.file.capturedWrites.has(name) && !isWatched
  const variable: Variable = {
    name,
    initial: value,
    value,
    frame: scope.frame,
    order: m.variables,
    isCapturedWrite: isShared,
    isReassigned: false,
  }
  scope.names.set(name, variable)
  if (isWatched) frame.tracked.push(variable)
  return variable
}

export function findVariable(scope: Scope, name: string): Variable | undefined {
  for (let at: Scope | null = scope; at; at = at.parent) {
    const variable = at.names.get(name)
    if (variable) return variable
  }
  return undefined
}

export function readVariable(m: Machine, variable: Variable): AbstractValue {
  const value = currentValue(m.overlay, variable)
  return variable.isCapturedWrite && value.known !== undefined && variable.frame !== m.frame
    ? withoutConstant(value)
    : value
}

export function currentValue(overlay: Overlay | null, variable: Variable): AbstractValue {
  for (let at = overlay; at; at = at.parent) {
    const value = at.writes.get(variable)
    if (value) return value
  }
  return variable.value
}

export function writeVariable(m: Machine, variable: Variable, value: AbstractValue): void {
  if (m.overlay) m.overlay.writes.set(variable, value)
  else variable.value = value
}

/** Runs code on its own overlay. */
export function branch(m: Machine, run: () => boolean): Branch {
  const overlay: Overlay = { parent: m.overlay, writes: new Map() }
  m.overlay = overlay
  try {
    return { isAlive: run(), writes: overlay.writes }
  } finally {
    m.overlay = overlay.parent
  }
}

/** Merges alternative branches. Returns whether execution continues after them. */
export function merge(m: Machine, branches: readonly Branch[]): boolean {
  let [alive, isWritten] = [0, false]
  for (const { isAlive, writes } of branches) {
    if (isAlive) alive += 1
    if (writes.size > 0) isWritten = true
  }
  if (isWritten) for (const [variable, value] of joinWrites(m, branches)) writeVariable(m, variable, value)
  return alive > 0
}

function joinWrites(m: Machine, branches: readonly Branch[]): Map<Variable, AbstractValue> {
  const reads = memberReader(m)
  const joined = new Map<Variable, AbstractValue>()
  for (const branch of branches) {
    if (!branch.isAlive) continue
    for (const variable of branch.writes.keys())
      if (!joined.has(variable)) joined.set(variable, joinBranchValues(m, branches, variable, reads))
  }
  for (const { isAlive, writes } of branches) {
    if (isAlive) continue
    // The branch left the function, but its writes to outer variables remain.
    for (const [variable, value] of writes) {
      if (variable.frame === m.frame) continue
      joined.set(variable, join(joined.get(variable) ?? currentValue(m.overlay, variable), value, reads))
    }
  }
  return joined
}

/** The join of the values in all branches that continue. */
function joinBranchValues(
  m: Machine,
  branches: readonly Branch[],
  variable: Variable,
  reads: ReadMember,
): AbstractValue {
  let value: AbstractValue | undefined
  for (const { isAlive, writes } of branches) {
    if (!isAlive) continue
    const own = writes.get(variable) ?? currentValue(m.overlay, variable)
    value = value === undefined ? own : join(value, own, reads)
  }
  return value ?? currentValue(m.overlay, variable)
}

const NO_WRITES: ReadonlyMap<Variable, AbstractValue> = new Map()

/** Runs code that may or may not execute. */
export function runOptionally(m: Machine, run: () => boolean): void {
  merge(m, [{ isAlive: true, writes: NO_WRITES }, branch(m, run)])
}

export const memberReader = ({ readMember: reads }: Machine): ReadMember => reads

export function pushJumpTarget(m: Machine, kind: JumpTarget['kind']): JumpTarget {
  const landing: JumpTarget = { kind, overlay: m.overlay, writes: new Map(), isReached: false }
  m.frame.jumpTargets.push(landing)
  return landing
}

/** Jumps to the innermost target of one of these kinds, with the writes so far. */
export function jumpTo(m: Machine, ...kinds: readonly JumpTarget['kind'][]): void {
  const landing = m.frame.jumpTargets.findLast(({ kind }) => kinds.includes(kind))
  if (!landing) return
  landing.isReached = true
  const seen = new Set<Variable>()
  for (let at = m.overlay; at && at !== landing.overlay; at = at.parent) {
    for (const [variable, value] of at.writes) {
      if (seen.has(variable)) continue
      seen.add(variable)
      const before = landing.writes.get(variable)
      landing.writes.set(variable, before ? join(before, value) : value)
    }
  }
}

/** Records the state at an exit for the caller. */
export function recordExit(m: Machine): void {
  const { exits, tracked: watched } = m.frame
  if (exits.length < EXITS_MAX) exits.push(watched.map((variable) => currentValue(m.overlay, variable)))
}

const EXITS_MAX = 50
