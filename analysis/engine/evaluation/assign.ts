// Assignments to variables, members and destructuring patterns.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import type { Expr, ExprOf } from '../../ir.ts'
import type { Machine } from '../machine.ts'
import { emitAssign } from '../rule-events.ts'
import { assignTo, peekValue } from '../values/assignable.ts'
import { foldBinary } from '../values/constant-folding.ts'
import { withDeclaredType } from '../values/declared-types.ts'
import { readItem, readMember } from '../values/members.ts'
import {
  concat,
  isConstant,
  itemsOf,
  join,
  joinTaints,
  truthiness,
  withoutConstant,
  withStep,
} from '../values/values.ts'
import { branch, declare, FUNCTION_SCOPED, findVariable, memberReader, merge } from '../values/variables.ts'

type BindOptions = { readonly isDeclared: boolean; readonly type: string | null }

export function evaluateAssign(m: Machine, expr: ExprOf<'assign'> & Expr): AbstractValue {
  const { target, operator, value: right } = expr
  if (operator === '||' || operator === '&&' || operator === '??')
    return assignShortCircuit(m, expr, operator)
  const before = operator === null ? undefined : m.operations.evaluate(m, target)
  const object = objectOf(m, target)
  const given = m.operations.evaluate(m, right)
  const value = before && operator !== null ? applyOperator(m, operator, before, given) : given
  emitAssign(m, expr, {
    ...describeTarget(target),
    object,
    operator,
    value,
    expr: right,
    type: null,
    isField: false,
    isEntry: false,
  })
  bind(m, target, value, { isDeclared: false, type: null })
  return value
}

/** `a ||= b`: the target may keep its value. */
function assignShortCircuit(m: Machine, expr: ExprOf<'assign'> & Expr, operator: string): AbstractValue {
  const { target, value: right } = expr
  const before = m.operations.evaluate(m, target)
  const holds =
    operator === '??' ? (isConstant(before) ? before.known !== null : undefined) : truthiness(before)
  const isKept = operator === '&&' ? holds === false : holds === true
  if (isKept) return before
  const object = objectOf(m, target)
  const given = m.operations.evaluate(m, right)
  emitAssign(m, expr, {
    ...describeTarget(target),
    object,
    operator,
    value: given,
    expr: right,
    type: null,
    isField: false,
    isEntry: false,
  })
  const isCertain = operator === '&&' ? holds === true : holds === false
  const value = isCertain ? given : join(before, given, memberReader(m))
  bind(m, target, value, { isDeclared: false, type: null })
  return value
}

/** Binds a value to a target, destructuring it if the target is a pattern. */
export function bind(m: Machine, target: Expr, value: AbstractValue, how: BindOptions): void {
  switch (target.kind) {
    case 'name':
      bindName(m, target, value, how)
      return
    case 'list':
      bindList(m, target, value, how)
      return
    case 'map':
      bindMap(m, target, value, how)
      return
    case 'default':
      bind(m, target.target, withDefault(m, target.value, value), how)
      return
    case 'rest':
      bind(m, target.target, value, how)
      return
    case 'same':
    case 'cast':
      bind(m, target.value, value, how)
      return
    case 'member':
      m.operations.evaluate(m, target.object)
      assignTo(m, target, withTargetStep(m, target, value))
      return
    case 'index':
      m.operations.evaluate(m, target.object)
      m.operations.evaluate(m, target.key)
      assignTo(m, target, withTargetStep(m, target, value))
      return
    default:
      return
  }
}

/** The default if the value is missing, or the join of both if that is unknown. */
export function withDefault(m: Machine, standIn: Expr, value: AbstractValue): AbstractValue {
  if (value.known === null) return m.operations.evaluate(m, standIn)
  if (isConstant(value) || value.fields || value.callable) return value
  let other: AbstractValue = UNTAINTED
  merge(m, [
    { isAlive: true, writes: new Map() },
    branch(m, () => {
      other = m.operations.evaluate(m, standIn)
      return true
    }),
  ])
  // A caller may omit the argument, but the value is still controlled by the caller.
  return join(value, withoutConstant(other), memberReader(m))
}

function bindName(
  m: Machine,
  target: ExprOf<'name'> & Expr,
  value: AbstractValue,
  { isDeclared, type }: BindOptions,
): void {
  const kept = withDeclaredType(m, withTargetStep(m, target, value), type)
  const question = kept === value ? undefined : m.conditions.get(value)
  if (question) m.conditions.set(kept, question)
  if (isDeclared || (declaresOnAssignment(m) && !findVariable(m.frame.scope, target.name)))
    declare(m, target.name, kept)
  else {
    const variable = findVariable(m.frame.scope, target.name)
    if (variable) variable.isReassigned = true
    assignTo(m, target, kept)
  }
}

const declaresOnAssignment = ({ language }: Machine): boolean => FUNCTION_SCOPED.has(language)

function bindList(m: Machine, { items }: ExprOf<'list'>, value: AbstractValue, how: BindOptions): void {
  for (const [index, { value: item, isSpread }] of items.entries()) {
    if (isSpread || item.kind === 'rest') bind(m, item, restOf(value), how)
    else bind(m, item, readItem(m, value, { known: index, taints: [] }, item.at), how)
  }
}

/** The remaining items, joined. */
function restOf(value: AbstractValue): AbstractValue {
  const others = itemsOf(value)
  return { taints: value.taints, others }
}

function bindMap(m: Machine, { entries }: ExprOf<'map'>, value: AbstractValue, how: BindOptions): void {
  for (const { key, value: target } of entries) {
    if (key === null || target.kind === 'rest') {
      bind(m, target, value, how)
      continue
    }
    const name = key.kind === 'literal' ? key : null
    const part = name
      ? readMember(m, value, String(name.value), target.at)
      : readItem(m, value, m.operations.evaluate(m, key), target.at)
    bind(m, target, part, how)
  }
}

function applyOperator(
  m: Machine,
  operator: string,
  before: AbstractValue,
  given: AbstractValue,
): AbstractValue {
  const folded = foldBinary(m.language, operator, before, given)
  if (folded) return folded
  if (operator === '+' || operator === '.') return concat([before, given])
  return { taints: joinTaints(before.taints, given.taints) }
}

function withTargetStep(m: Machine, target: Expr, value: AbstractValue): AbstractValue {
  if (value.taints.length === 0) return value
  const { file } = m.frame
  return withStep(value, { path: file.path, at: target.at, what: file.source(target.at).slice(0, 60) })
}

export function describeTarget(target: Expr): { readonly name: string; readonly target: Expr } {
  switch (target.kind) {
    case 'name':
      return { name: target.name, target }
    case 'member':
      return { name: target.property, target }
    case 'index':
      return { name: target.key.kind === 'literal' ? String(target.key.value) : '', target }
    case 'literal':
      return { name: String(target.value), target }
    default:
      return { name: '', target }
  }
}

const objectOf = (m: Machine, target: Expr): AbstractValue | null =>
  target.kind === 'member' || target.kind === 'index'
    ? (peekValue(m, target.object) ?? m.operations.evaluate(m, target.object))
    : null
