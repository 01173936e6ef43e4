// What a test that came out true or false says about the values it asked about.

import type { Cleaning, Value } from '../../abstract-value.ts'
import type { Expr, ExprOf } from '../../ir.ts'
import type { CallEvent } from '../../rule.ts'
import { guardedByFunction } from '../calls/guard-functions.ts'
import type { Machine } from '../machine.ts'
import { matching } from '../name-patterns.ts'
import { peek, put } from '../values/assignable.ts'
import { isNumeric } from '../values/declared-types.ts'
import { allTaints, cleaned, harmless } from '../values/values.ts'
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
      refineAnswer(m, test, isTrue)
      return
    case 'assign':
      refine(m, test.value, isTrue)
      return
    default:
      return
  }
}

const ANSWERS_MAX = 3

/** A variable that holds the answer to a question asked before. */
function refineAnswer(m: Machine, test: Expr, isTrue: boolean): void {
  if (m.refining >= ANSWERS_MAX) return
  const value = peek(m, test)
  const question = value && m.questions.get(value)
  if (!question) return
  m.refining += 1
  refine(m, question, isTrue)
  m.refining -= 1
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
    if ((operator === 'in') === isTrue) refineAmong(m, left, right)
    return
  }
  if (operator === 'instanceof' && isTrue && isNumeric(lastName(right))) clean(m, left, ['all'])
}

const EQUAL: ReadonlySet<string> = new Set(['==', '===', 'is'])
const UNEQUAL: ReadonlySet<string> = new Set(['!=', '!==', 'is not'])

const lastName = (expr: Expr): string | null =>
  expr.kind === 'name' ? expr.name : expr.kind === 'member' ? expr.property : null

/** One of two tests came out so: whatever is true both ways is true. */
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
  // Equal to something of ours: a stored secret, a fixed name.
  for (const [each, against] of [
    [left, right],
    [right, left],
  ] as const) {
    const value = peek(m, against)
    if (value?.fields === undefined && value && isOurs(value)) clean(m, each, ['all'])
  }
}

const isOurs = (value: Value): boolean => value.known !== undefined && value.taints.length === 0

/** `f(x) === true`, `x.indexOf('..') === -1`, `x === 'a'`. */
function refineTo(m: Machine, expr: Expr, constant: Value, isEqual: boolean): void {
  if (typeof constant.known === 'boolean') refine(m, expr, constant.known === isEqual)
  if (expr.kind === 'call' && (constant.known === -1 || constant.known === 0)) {
    // Not found, or found nowhere but at the beginning.
    refineCall(m, expr, constant.known === -1 ? !isEqual : isEqual)
    return
  }
  if (!isEqual) return
  const value = peek(m, expr)
  if (value && constant.known !== null) put(m, expr, constant)
  if (expr.kind === 'call') refineCall(m, expr, true)
}

function constantOf(m: Machine, expr: Expr): Value | undefined {
  if (expr.kind === 'literal') return { known: expr.value, taints: [] }
  if (
    expr.kind === 'unary' &&
    expr.operator === '-' &&
    expr.operand.kind === 'literal' &&
    typeof expr.operand.value === 'number'
  )
    return { known: -expr.operand.value, taints: [] }
  const value = peek(m, expr)
  return value && isOurs(value) ? value : undefined
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
    clean(m, operand, ['all'])
    return
  }
  const value = peek(m, operand)
  if (value && wanted === 'string' && value.known === undefined) put(m, operand, { ...value, type: 'string' })
}

/** `x in LIST`: harmless where nobody else decides what is in the list. */
function refineAmong(m: Machine, asked: Expr, among: Expr): void {
  const list =
    peek(m, among) ?? (among.kind === 'list' || among.kind === 'map' ? m.parts.evaluate(m, among) : undefined)
  if (list && isFixed(list)) clean(m, asked, ['all'])
}

/** A collection whose items are ours. */
export const isFixed = (value: Value): boolean =>
  (value.fields !== undefined || value.others !== undefined) &&
  allTaints(value).length === 0 &&
  !value.callable

function refineCall(m: Machine, test: ExprOf<'call'> & Expr, isTrue: boolean): void {
  const event = m.frame.calls.get(test)
  if (!event) return
  const { name, method, receiver } = event
  for (const guard of matching(m.model.guards, name, method, receiver)) {
    if (guard.when !== isTrue || (guard.holds && !guard.holds(event))) continue
    const about = guard.about === 'receiver' ? receiverOf(test) : event.arg(guard.about)?.expr
    if (about) clean(m, about, guard.cleans)
  }
  if (isTrue) refineMembership(m, event)
  if (isTrue && EQUALS.has(method)) refineEquals(m, test, event)
  for (const { about, tags } of guardedByFunction(m, event, isTrue)) clean(m, about, tags)
}

/** `"a".equals(x)` and `x.equals("a")`. */
function refineEquals(m: Machine, test: ExprOf<'call'>, { receiver, arg }: CallEvent): void {
  const [asked, about] = [arg(0), receiverOf(test)]
  if (!asked || !about || !receiver) return
  if (isOurs(receiver)) put(m, asked.expr, receiver)
  else if (isOurs(asked.value)) put(m, about, asked.value)
}

function refineMembership(m: Machine, { method, receiver, arg, args }: CallEvent): void {
  if (!MEMBERSHIPS.has(method)) return
  if (receiver && isFixed(receiver) && typeof receiver.known !== 'string') {
    const asked = arg(0)
    if (asked) clean(m, asked.expr, ['all'])
  }
  const [list, asked] =
    method === 'in_array'
      ? [arg(1), arg(0)]
      : method === 'hasOwn' || method === 'hasOwnProperty'
        ? [arg(0), arg(1)]
        : []
  if (list && asked && args.length >= 2 && isFixed(list.value)) clean(m, asked.expr, ['all'])
}

const receiverOf = ({ callee }: ExprOf<'call'>): Expr | undefined =>
  callee.kind === 'member' || callee.kind === 'index' ? callee.object : undefined

/** What was asked about is harmless from here on; what was made of it before, too, where it is all there is to it. */
export function clean(m: Machine, about: Expr, tags: readonly Cleaning[]): void {
  if (about.kind === 'call') {
    cleanThrough(m, about, tags)
    return
  }
  const value = peek(m, about)
  if (!value || (value.taints.length === 0 && !value.fields)) return
  put(m, about, tags.includes('all') ? harmless(value) : cleaned(value, tags))
}

/** `allowed.has(x.toLowerCase())`: asked about what was made of it. */
function cleanThrough(m: Machine, call: ExprOf<'call'>, tags: readonly Cleaning[]): void {
  const { callee, args } = call
  const [only] = args
  if (callee.kind === 'member' && CONVERSIONS.has(callee.property) && args.length === 0) {
    clean(m, callee.object, tags)
    return
  }
  if (
    only &&
    args.length === 1 &&
    callee.kind === 'name' &&
    /^(?:String|str|strtolower|trim|strtoupper|string)$/.test(callee.name)
  )
    clean(m, only.value, tags)
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

/** Whether it is among the items. */
export const MEMBERSHIPS: ReadonlySet<string> = new Set([
  'includes',
  'has',
  'contains',
  'containsKey',
  'hasOwnProperty',
  'in_array',
  'hasOwn',
])

/** Whether it is the same text. */
export const EQUALS: ReadonlySet<string> = new Set(['equals', 'equalsIgnoreCase', 'contentEquals'])
