// Assignments: to variables, into objects and lists, and through patterns that take values apart.

import { CLEAN, type Value } from '../../abstract-value.ts'
import type { Expr, ExprOf } from '../../ir.ts'
import type { Machine } from '../machine.ts'
import { tellAssign } from '../rule-events.ts'
import { peek, put } from '../values/assignable.ts'
import { foldBinary } from '../values/constant-folding.ts'
import { typed } from '../values/declared-types.ts'
import { readItem, readMember } from '../values/members.ts'
import {
  concat,
  isKnown,
  itemsOf,
  join,
  joinTaints,
  truth,
  withoutKnown,
  withStep,
} from '../values/values.ts'
import { branch, declare, find, memberReader, merge } from '../values/variables.ts'

type Assigning = { readonly isDeclared: boolean; readonly type: string | null }

export function evaluateAssign(m: Machine, expr: ExprOf<'assign'> & Expr): Value {
  const { target, operator, value: right } = expr
  if (operator === '||' || operator === '&&' || operator === '??') return assignShort(m, expr, operator)
  const before = operator === null ? undefined : m.parts.evaluate(m, target)
  const object = objectOf(m, target)
  const given = m.parts.evaluate(m, right)
  const value = before && operator !== null ? combined(m, operator, before, given) : given
  tellAssign(m, expr, {
    ...facts(target),
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

/** `a ||= b`: it may stay what it was. */
function assignShort(m: Machine, expr: ExprOf<'assign'> & Expr, operator: string): Value {
  const { target, value: right } = expr
  const before = m.parts.evaluate(m, target)
  const holds = operator === '??' ? (isKnown(before) ? before.known !== null : undefined) : truth(before)
  const isKept = operator === '&&' ? holds === false : holds === true
  if (isKept) return before
  const object = objectOf(m, target)
  const given = m.parts.evaluate(m, right)
  tellAssign(m, expr, {
    ...facts(target),
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

/** A value for a target, taken apart where the target is a pattern. */
export function bind(m: Machine, target: Expr, value: Value, how: Assigning): void {
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
      m.parts.evaluate(m, target.object)
      put(m, target, step(m, target, value))
      return
    case 'index':
      m.parts.evaluate(m, target.object)
      m.parts.evaluate(m, target.key)
      put(m, target, step(m, target, value))
      return
    default:
      return
  }
}

/** What stands in where nothing was given; where nobody knows, either. */
export function withDefault(m: Machine, standIn: Expr, value: Value): Value {
  if (value.known === null) return m.parts.evaluate(m, standIn)
  if (isKnown(value) || value.fields || value.callable) return value
  let other: Value = CLEAN
  merge(m, [
    { isAlive: true, writes: new Map() },
    branch(m, () => {
      other = m.parts.evaluate(m, standIn)
      return true
    }),
  ])
  // What the caller decides may well be left out; it is still the caller's.
  return join(value, withoutKnown(other), memberReader(m))
}

function bindName(
  m: Machine,
  target: ExprOf<'name'> & Expr,
  value: Value,
  { isDeclared, type }: Assigning,
): void {
  const kept = typed(m, step(m, target, value), type)
  const question = kept === value ? undefined : m.questions.get(value)
  if (question) m.questions.set(kept, question)
  if (isDeclared || (makesByWriting(m) && !find(m.frame.scope, target.name))) declare(m, target.name, kept)
  else {
    const variable = find(m.frame.scope, target.name)
    if (variable) variable.isReplaced = true
    put(m, target, kept)
  }
}

const makesByWriting = ({ language }: Machine): boolean => language === 'python' || language === 'php'

function bindList(m: Machine, { items }: ExprOf<'list'>, value: Value, how: Assigning): void {
  for (const [index, { value: item, isSpread }] of items.entries()) {
    if (isSpread || item.kind === 'rest') bind(m, item, restOf(value), how)
    else bind(m, item, readItem(m, value, { known: index, taints: [] }, item.at), how)
  }
}

/** The items behind those that were taken: any of them. */
function restOf(value: Value): Value {
  const others = itemsOf(value)
  return { taints: value.taints, others }
}

function bindMap(m: Machine, { entries }: ExprOf<'map'>, value: Value, how: Assigning): void {
  for (const { key, value: target } of entries) {
    if (key === null || target.kind === 'rest') {
      bind(m, target, value, how)
      continue
    }
    const name = key.kind === 'literal' ? key : null
    const part = name
      ? readMember(m, value, String(name.value), target.at)
      : readItem(m, value, m.parts.evaluate(m, key), target.at)
    bind(m, target, part, how)
  }
}

function combined(m: Machine, operator: string, before: Value, given: Value): Value {
  const folded = foldBinary(m.language, operator, before, given)
  if (folded) return folded
  if (operator === '+' || operator === '.') return concat([before, given])
  return { taints: joinTaints(before.taints, given.taints) }
}

function step(m: Machine, target: Expr, value: Value): Value {
  if (value.taints.length === 0) return value
  const { file } = m.frame
  return withStep(value, { path: file.path, at: target.at, what: file.source(target.at).slice(0, 60) })
}

export function facts(target: Expr): { readonly name: string; readonly target: Expr } {
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

const objectOf = (m: Machine, target: Expr): Value | null =>
  target.kind === 'member' || target.kind === 'index'
    ? (peek(m, target.object) ?? m.parts.evaluate(m, target.object))
    : null
