// What statements do. Each says whether the program goes on behind it.

import { CLEAN, type Value } from '../../abstract-value.ts'
import type { Stmt, StmtOf } from '../../ir.ts'
import { makeClass } from '../calls/classes.ts'
import { executeReturn } from '../calls/returns.ts'
import type { Branch, Machine } from '../machine.ts'
import { tellAssign } from '../rule-events.ts'
import { typed } from '../values/declared-types.ts'
import { bindImport } from '../values/import-resolution.ts'
import { known, truth } from '../values/values.ts'
import { branch, declare, find, land, leave, merge, scopeIn, step } from '../values/variables.ts'
import { bind, facts } from './assign.ts'
import { executeLoop } from './loops.ts'
import { executeSwitch } from './switches.ts'

export function execute(m: Machine, body: readonly Stmt[]): boolean {
  hoist(m, body)
  for (const stmt of body) {
    step(m)
    m.frame.statement = stmt
    if (!executeOne(m, stmt)) return false
  }
  return true
}

/** Functions can be called above where they stand. */
export function hoist(m: Machine, body: readonly Stmt[]): void {
  for (const stmt of body) {
    if (
      stmt.kind !== 'function' ||
      m.frame.scope.names.get(stmt.definition.name)?.value.callable?.definition === stmt.definition
    )
      continue
    const callable = { definition: stmt.definition, scope: m.frame.scope }
    declare(m, stmt.definition.name, { taints: [], callable })
    m.frame.pending.push(callable)
  }
}

function executeOne(m: Machine, stmt: Stmt): boolean {
  switch (stmt.kind) {
    case 'expression':
      m.parts.evaluate(m, stmt.value)
      return true
    case 'declare':
      executeDeclare(m, stmt)
      return true
    case 'if':
      return executeIf(m, stmt)
    case 'loop':
      return executeLoop(m, stmt)
    case 'switch':
      return executeSwitch(m, stmt)
    case 'return':
      executeReturn(m, stmt)
      return false
    case 'throw':
      if (stmt.value) m.parts.evaluate(m, stmt.value)
      leave(m, 'try')
      return false
    case 'break':
      leave(m, 'loop', 'switch')
      return false
    case 'continue':
      leave(m, 'loop')
      return false
    case 'try':
      return executeTry(m, stmt)
    case 'block':
      return inScope(m, () => m.parts.execute(m, stmt.body))
    case 'function':
      return true
    case 'class':
      makeClass(m, stmt.definition)
      return true
    case 'import':
      bindImport(m, stmt)
      return true
  }
}

export function inScope(m: Machine, run: () => boolean): boolean {
  const { scope } = m.frame
  // Python and PHP know no variables of a block.
  if (m.language === 'python' || m.language === 'php') return run()
  m.frame.scope = scopeIn(scope, m.frame)
  try {
    return run()
  } finally {
    m.frame.scope = scope
  }
}

function executeDeclare(m: Machine, stmt: Stmt & StmtOf<'declare'>): void {
  const { target, type, value: expr } = stmt
  // Another name for the object that a method is called on.
  if (target.kind === 'name' && expr?.kind === 'name' && expr.name === 'this') {
    const self = find(m.frame.scope, 'this')
    if (self) m.frame.scope.names.set(target.name, self)
    if (self) return
  }
  const value = expr ? m.parts.evaluate(m, expr) : empty(m, type)
  if (expr)
    tellAssign(m, target, {
      ...facts(target),
      object: null,
      operator: null,
      value,
      expr,
      type,
      isField: false,
      isEntry: false,
    })
  // `var` twice, and Python's declarations at the top of a function that has the name as a parameter.
  bind(m, target, value, { isDeclared: true, type })
}

/** Go's variables begin with the zero of their type. */
const empty = (m: Machine, type: string | null): Value =>
  m.language === 'go' && type !== null ? typed(m, CLEAN, type) : known(null)

function executeIf(m: Machine, { test, then, otherwise }: StmtOf<'if'>): boolean {
  const holds = truth(m.parts.evaluate(m, test))
  const before = m.frame.conditions
  m.frame.conditions = [test, ...before]
  const way = (isTrue: boolean, body: readonly Stmt[]): Branch =>
    branch(m, () => {
      if (holds === undefined) m.parts.refine(m, test, isTrue)
      return inScope(m, () => m.parts.execute(m, body))
    })
  const ways = [
    ...(holds === false ? [] : [way(true, then)]),
    ...(holds === true ? [] : [way(false, otherwise)]),
  ]
  m.frame.conditions = before
  return merge(m, ways)
}

function executeTry(m: Machine, { body, handlers, finalizer }: StmtOf<'try'>): boolean {
  const landing = land(m, 'try')
  const tried = branch(m, () => inScope(m, () => m.parts.execute(m, body)))
  m.frame.landings.pop()
  const caught = handlers.map(({ target, body: handler }) =>
    branch(m, () => {
      // It may have been left anywhere: with what was written by then, or without.
      merge(m, [
        { isAlive: true, writes: new Map() },
        { isAlive: true, writes: tried.writes },
        { isAlive: true, writes: landing.escaped },
      ])
      return inScope(m, () => {
        if (target) bind(m, target, { taints: [], type: 'error' }, { isDeclared: true, type: null })
        return m.parts.execute(m, handler)
      })
    }),
  )
  const isAlive = merge(m, [tried, ...caught])
  if (finalizer.length === 0) return isAlive
  if (isAlive) return inScope(m, () => m.parts.execute(m, finalizer))
  branch(m, () => inScope(m, () => m.parts.execute(m, finalizer)))
  return false
}
