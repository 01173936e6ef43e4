// Executes statements. Each returns whether execution continues after it.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import type { Stmt, StmtOf } from '../../ir.ts'
import { defineClass } from '../calls/classes.ts'
import { executeReturn } from '../calls/returns.ts'
import type { Branch, Machine } from '../machine.ts'
import { emitAssign } from '../rule-events.ts'
import { withDeclaredType } from '../values/declared-types.ts'
import { bindImport } from '../values/import-resolution.ts'
import { constantValue, truthiness } from '../values/values.ts'
import {
  branch,
  countStep,
  createScope,
  declare,
  FUNCTION_SCOPED,
  findVariable,
  jumpTo,
  merge,
  pushJumpTarget,
} from '../values/variables.ts'
import { bind, describeTarget } from './assign.ts'
import { executeLoop } from './loops.ts'
import { executeSwitch } from './switches.ts'

export function execute(m: Machine, body: readonly Stmt[]): boolean {
  hoist(m, body)
  for (const stmt of body) {
    countStep(m)
    m.frame.statement = stmt
    if (!executeOne(m, stmt)) return false
  }
  return true
}

/** Functions can be called before their declaration. */
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
      m.operations.evaluate(m, stmt.value)
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
      if (stmt.value) m.operations.evaluate(m, stmt.value)
      jumpTo(m, 'try')
      return false
    case 'break':
      jumpTo(m, 'loop', 'switch')
      return false
    case 'continue':
      jumpTo(m, 'loop')
      return false
    case 'try':
      return executeTry(m, stmt)
    case 'block':
      return inScope(m, () => m.operations.execute(m, stmt.body))
    case 'function':
      return true
    case 'class':
      defineClass(m, stmt.definition)
      return true
    case 'import':
      bindImport(m, stmt)
      return true
  }
}

export function inScope(m: Machine, run: () => boolean): boolean {
  const { scope } = m.frame
  if (FUNCTION_SCOPED.has(m.language)) return run()
  m.frame.scope = createScope(scope, m.frame)
  try {
    return run()
  } finally {
    m.frame.scope = scope
  }
}

function executeDeclare(m: Machine, stmt: Stmt & StmtOf<'declare'>): void {
  const { target, type, value: expr } = stmt
  // An alias of the receiver, such as `const self = this`.
  if (target.kind === 'name' && expr?.kind === 'name' && expr.name === 'this') {
    const self = findVariable(m.frame.scope, 'this')
    if (self) m.frame.scope.names.set(target.name, self)
    if (self) return
  }
  const value = expr ? m.operations.evaluate(m, expr) : zeroValue(m, type)
  if (expr)
    emitAssign(m, target, {
      ...describeTarget(target),
      object: null,
      operator: null,
      value,
      expr,
      type,
      isField: false,
      isEntry: false,
    })
  // `var` may be declared twice, and Python declares parameters again at the top of a function.
  bind(m, target, value, { isDeclared: true, type })
}

/** Go initializes variables with the zero value of their type. */
const zeroValue = (m: Machine, type: string | null): AbstractValue =>
  m.language === 'go' && type !== null ? withDeclaredType(m, UNTAINTED, type) : constantValue(null)

function executeIf(m: Machine, { test, then, otherwise }: StmtOf<'if'>): boolean {
  const holds = truthiness(m.operations.evaluate(m, test))
  const before = m.frame.conditions
  m.frame.conditions = [test, ...before]
  const way = (isTrue: boolean, body: readonly Stmt[]): Branch =>
    branch(m, () => {
      if (holds === undefined) m.operations.refine(m, test, isTrue)
      return inScope(m, () => m.operations.execute(m, body))
    })
  const ways = [
    ...(holds === false ? [] : [way(true, then)]),
    ...(holds === true ? [] : [way(false, otherwise)]),
  ]
  m.frame.conditions = before
  return merge(m, ways)
}

function executeTry(m: Machine, { body, handlers, finalizer }: StmtOf<'try'>): boolean {
  const landing = pushJumpTarget(m, 'try')
  const tried = branch(m, () => inScope(m, () => m.operations.execute(m, body)))
  m.frame.jumpTargets.pop()
  const caught = handlers.map(({ target, body: handler }) =>
    branch(m, () => {
      // The body may stop anywhere, so its writes are joined with the state before it.
      merge(m, [
        { isAlive: true, writes: new Map() },
        { isAlive: true, writes: tried.writes },
        { isAlive: true, writes: landing.writes },
      ])
      return inScope(m, () => {
        if (target) bind(m, target, { taints: [], type: 'error' }, { isDeclared: true, type: null })
        return m.operations.execute(m, handler)
      })
    }),
  )
  const isAlive = merge(m, [tried, ...caught])
  if (finalizer.length === 0) return isAlive
  if (isAlive) return inScope(m, () => m.operations.execute(m, finalizer))
  branch(m, () => inScope(m, () => m.operations.execute(m, finalizer)))
  return false
}
