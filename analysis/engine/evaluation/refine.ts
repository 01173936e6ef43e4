// Refines values by the outcome of a condition.

import type { AbstractValue, SinkKind } from '../../abstract-value.ts'
import type { Expr, ExprOf } from '../../ir.ts'
import type { CallEvent } from '../../rule.ts'
import { inferGuards } from '../calls/guard-functions.ts'
import type { Machine } from '../machine.ts'
import { findMatches } from '../name-patterns.ts'
import { assignTo, peekValue } from '../values/assignable.ts'
import { isNumeric } from '../values/declared-types.ts'
import { allTaints, sanitize, sanitizeForAll } from '../values/values.ts'
import { branch, merge } from '../values/variables.ts'

export function refine(m: Machine, test: Expr, isTrue: boolean): void {
  switch (test.kind) {
    case 'same':
      refine(m, test.value, isTrue)
      return
    case 'unary':
      if (test.operator === '!' || test.operator === 'not') refine(m, test.operand, !isTrue)
      return
    case 'binary':
      refineBinary(m, test, isTrue)
      return
    case 'call':
      refineCall(m, test, isTrue)
      return
    case 'name':
    case 'member':
      refineStoredCondition(m, test, isTrue)
      return
    case 'assign':
      refine(m, test.value, isTrue)
      return
    default:
      return
  }
}

const REFINE_DEPTH_MAX = 3

/** Follows a variable to the condition it was assigned from. */
function refineStoredCondition(m: Machine, test: Expr, isTrue: boolean): void {
  if (m.refineDepth >= REFINE_DEPTH_MAX) return
  const value = peekValue(m, test)
  const question = value && m.conditions.get(value)
  if (!question) return
  m.refineDepth += 1
  refine(m, question, isTrue)
  m.refineDepth -= 1
}

function refineBinary(m: Machine, test: ExprOf<'binary'>, isTrue: boolean): void {
  const { operator, left, right } = test
  if (operator === '&&' || operator === '||') {
    const isBoth = (operator === '&&') === isTrue
    if (isBoth) {
      refine(m, left, isTrue)
      refine(m, right, isTrue)
      return
    }
    refineEither(m, left, right, isTrue)
    return
  }
  const answer = EQUAL.has(operator) ? isTrue : UNEQUAL.has(operator) ? !isTrue : undefined
  if (answer !== undefined) {
    refineEqual(m, left, right, answer)
    return
  }
  if (operator === 'in' || operator === 'not in') {
    if ((operator === 'in') === isTrue) refineIn(m, left, right)
    return
  }
  if (operator === 'instanceof' && isTrue && isNumeric(lastName(right))) markSanitized(m, left, ['all'])
}

const EQUAL: ReadonlySet<string> = new Set(['==', '===', 'is'])
const UNEQUAL: ReadonlySet<string> = new Set(['!=', '!==', 'is not'])

const lastName = (expr: Expr): string | null =>
  expr.kind === 'name' ? expr.name : expr.kind === 'member' ? expr.property : null

/** One of two conditions holds: keeps what is true in both branches. */
function refineEither(m: Machine, left: Expr, right: Expr, isTrue: boolean): void {
  merge(m, [
    branch(m, () => {
      refine(m, left, isTrue)
      return true
    }),
    branch(m, () => {
      refine(m, left, !isTrue)
      refine(m, right, isTrue)
      return true
    }),
  ])
}

function refineEqual(m: Machine, left: Expr, right: Expr, isEqual: boolean): void {
  if (left.kind === 'unary' && left.operator === 'typeof') {
    refineType(m, left.operand, right, isEqual)
    return
  }
  const [one, other] = [constantOf(m, left), constantOf(m, right)]
  if (other) {
    refineTo(m, left, other, isEqual)
    return
  }
  if (one) {
    refineTo(m, right, one, isEqual)
    return
  }
  if (!isEqual) return
  // Equality with an untainted constant.
  for (const [each, against] of [
    [left, right],
    [right, left],
  ] as const) {
    const value = peekValue(m, against)
    if (value?.fields === undefined && value && isUntaintedConstant(value)) markSanitized(m, each, ['all'])
  }
}

const isUntaintedConstant = (value: AbstractValue): boolean =>
  value.known !== undefined && value.taints.length === 0

/** `f(x) === true`, `x.indexOf('..') === -1`, `x === 'a'`. */
function refineTo(m: Machine, expr: Expr, constant: AbstractValue, isEqual: boolean): void {
  if (typeof constant.known === 'boolean') refine(m, expr, constant.known === isEqual)
  if (expr.kind === 'call' && (constant.known === -1 || constant.known === 0)) {
    // `-1` means not found.
    refineCall(m, expr, constant.known === -1 ? !isEqual : isEqual)
    return
  }
  if (!isEqual) return
  const value = peekValue(m, expr)
  if (value && constant.known !== null) assignTo(m, expr, constant)
  if (expr.kind === 'call') refineCall(m, expr, true)
}

function constantOf(m: Machine, expr: Expr): AbstractValue | undefined {
  if (expr.kind === 'literal') return { known: expr.value, taints: [] }
  if (
    expr.kind === 'unary' &&
    expr.operator === '-' &&
    expr.operand.kind === 'literal' &&
    typeof expr.operand.value === 'number'
  )
    return { known: -expr.operand.value, taints: [] }
  const value = peekValue(m, expr)
  return value && isUntaintedConstant(value) ? value : undefined
}

const HARMLESS_TYPES: ReadonlySet<unknown> = new Set([
  'number',
  'boolean',
  'bigint',
  'undefined',
  'function',
  'symbol',
])

function refineType(m: Machine, operand: Expr, type: Expr, isEqual: boolean): void {
  const wanted = constantOf(m, type)?.known
  if (!isEqual || typeof wanted !== 'string') return
  if (HARMLESS_TYPES.has(wanted)) {
    markSanitized(m, operand, ['all'])
    return
  }
  const value = peekValue(m, operand)
  if (value && wanted === 'string' && value.known === undefined)
    assignTo(m, operand, { ...value, type: 'string' })
}

/** `x in LIST`: sanitizes `x` if the list is not tainted. */
function refineIn(m: Machine, asked: Expr, among: Expr): void {
  const list =
    peekValue(m, among) ??
    (among.kind === 'list' || among.kind === 'map' ? m.operations.evaluate(m, among) : undefined)
  if (list && isFixedCollection(list)) markSanitized(m, asked, ['all'])
}

/** A collection without tainted items. */
export const isFixedCollection = (value: AbstractValue): boolean =>
  (value.fields !== undefined || value.others !== undefined) &&
  allTaints(value).length === 0 &&
  !value.callable

function refineCall(m: Machine, test: ExprOf<'call'> & Expr, isTrue: boolean): void {
  const event = m.frame.calls.get(test)
  if (!event) return
  const { name, method, receiver } = event
  for (const guard of findMatches(m.model.guards, name, method, receiver)) {
    if (guard.when !== isTrue || (guard.appliesTo && !guard.appliesTo(event))) continue
    const subject =
      guard.subject === 'receiver'
        ? receiverOf(test)
        : (event.arg(guard.subject) ?? event.args[guard.subject])?.expr
    if (subject) markSanitized(m, subject, guard.sanitizes)
  }
  if (isTrue) refineMembership(m, event)
  if (isTrue && EQUALITY_METHODS.has(method)) refineEquals(m, test, event)
  for (const { subject, sinks } of inferGuards(m, event, isTrue)) markSanitized(m, subject, sinks)
}

/** `"a".equals(x)` and `x.equals("a")`. */
function refineEquals(m: Machine, test: ExprOf<'call'>, { receiver, arg }: CallEvent): void {
  const [asked, subject] = [arg(0), receiverOf(test)]
  if (!asked || !subject || !receiver) return
  if (isUntaintedConstant(receiver)) assignTo(m, asked.expr, receiver)
  else if (isUntaintedConstant(asked.value)) assignTo(m, subject, asked.value)
}

function refineMembership(m: Machine, { method, receiver, arg, args }: CallEvent): void {
  if (!MEMBERSHIP_METHODS.has(method)) return
  if (receiver && isFixedCollection(receiver) && typeof receiver.known !== 'string') {
    const asked = arg(0)
    if (asked) markSanitized(m, asked.expr, ['all'])
  }
  const [list, asked] =
    method === 'in_array'
      ? [arg(1), arg(0)]
      : method === 'hasOwn' || method === 'hasOwnProperty'
        ? [arg(0), arg(1)]
        : []
  if (list && asked && args.length >= 2 && isFixedCollection(list.value))
    markSanitized(m, asked.expr, ['all'])
}

const receiverOf = ({ callee }: ExprOf<'call'>): Expr | undefined =>
  callee.kind === 'member' || callee.kind === 'index' ? callee.object : undefined

/** Marks the value of an expression as sanitized, and its source if it is only a conversion. */
export function markSanitized(m: Machine, subject: Expr, sinks: readonly SinkKind[]): void {
  if (subject.kind === 'call') {
    sanitizeThroughCall(m, subject, sinks)
    return
  }
  const value = peekValue(m, subject)
  if (!value || (value.taints.length === 0 && !value.fields)) return
  assignTo(m, subject, sinks.includes('all') ? sanitizeForAll(value) : sanitize(value, sinks))
}

/** `allowed.has(x.toLowerCase())` also sanitizes `x`. */
function sanitizeThroughCall(m: Machine, call: ExprOf<'call'>, sinks: readonly SinkKind[]): void {
  const { callee, args } = call
  const [only] = args
  if (callee.kind === 'member' && CONVERSIONS.has(callee.property) && args.length === 0) {
    markSanitized(m, callee.object, sinks)
    return
  }
  // The text inside the quotes decides whether the whole is one literal.
  if (callee.kind === 'member' && callee.property === '__slice__' && sinks[0] === 'code') {
    markSanitized(m, callee.object, sinks)
    return
  }
  if (
    only &&
    args.length === 1 &&
    callee.kind === 'name' &&
    /^(?:String|str|strtolower|trim|strtoupper|string)$/.test(callee.name)
  )
    markSanitized(m, only.value, sinks)
}

const CONVERSIONS: ReadonlySet<string> = new Set([
  'toLowerCase',
  'toUpperCase',
  'trim',
  'toString',
  'lower',
  'upper',
  'strip',
  'casefold',
])

/** Methods that test membership. */
export const MEMBERSHIP_METHODS: ReadonlySet<string> = new Set([
  'includes',
  'has',
  'contains',
  'containsKey',
  'hasOwnProperty',
  'in_array',
  'hasOwn',
])

/** Methods that test string equality. */
export const EQUALITY_METHODS: ReadonlySet<string> = new Set(['equals', 'equalsIgnoreCase', 'contentEquals'])
