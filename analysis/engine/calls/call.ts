// Calls: resolves the callee, evaluates the arguments and computes the result.

import type { AbstractValue, Callable } from '../../abstract-value.ts'
import type { Argument, Expr, ExprOf } from '../../ir.ts'
import { INITIALIZER } from '../../ir-builders.ts'
import type { CallEvent, EvaluatedArgument } from '../../rule.ts'
import { EQUALITY_METHODS, MEMBERSHIP_METHODS } from '../evaluation/refine.ts'
import type { CallResult, Machine } from '../machine.ts'
import { bareType, findMatches, lastSegment } from '../name-patterns.ts'
import { qualifiedName } from '../qualified-names.ts'
import { callEvent, emitCall } from '../rule-events.ts'
import { assignTo } from '../values/assignable.ts'
import { evaluateBuiltin } from '../values/builtin-methods.ts'
import { readItem, readMember } from '../values/members.ts'
import { afterUnknownCall, allTaints, joinTaints, sanitize, tainted } from '../values/values.ts'
import { runCallbacks } from './callbacks.ts'
import { construct, invokeMethod, invokeSuper } from './classes.ts'
import { invokeExtension } from './extensions.ts'
import { invokeByMethodName } from './unknown-receivers.ts'

const NAME_LENGTH_MAX = 120

type Callee = {
  readonly value: AbstractValue
  readonly receiver: AbstractValue | null
  readonly name: string
  readonly method: string
}

export function evaluateCall(m: Machine, expr: ExprOf<'call'> & Expr): AbstractValue {
  const callee = calleeOf(m, expr.callee)
  const args = evaluateArguments(m, expr.args)
  const { statement } = m.frame
  const isUsed = !(statement?.kind === 'expression' && statement.value === expr)
  const { name, method, receiver } = callee
  const event = callEvent(m, { expr, name, method, receiver, args, isUsed })
  emitCall(m, event)
  const value = withInitializer(resultOf(m, event, callee), args)
  if (value.known !== undefined || !isCondition(m, event, callee)) return value
  const answer = { ...value }
  m.conditions.set(answer, expr)
  return answer
}

/** The members that C# sets after the constructor: `new A { B = 1 }`. */
function withInitializer(value: AbstractValue, args: readonly EvaluatedArgument[]): AbstractValue {
  const given = args.find(({ name }) => name === INITIALIZER)?.value.fields
  return given ? { ...value, fields: new Map([...(value.fields ?? []), ...given]) } : value
}

/** Whether the result is a condition that `refine` can use when it is tested later. */
const isCondition = (m: Machine, { method }: CallEvent, { value }: Callee): boolean =>
  m.model.guards.byLastSegment.has(method) ||
  value.callable !== undefined ||
  MEMBERSHIP_METHODS.has(method) ||
  EQUALITY_METHODS.has(method)

export function evaluateArguments(m: Machine, args: readonly Argument[]): EvaluatedArgument[] {
  return args.map(({ name, isSpread, value: expr }) => ({
    name,
    isSpread,
    expr,
    value: m.operations.evaluate(m, expr),
  }))
}

function calleeOf(m: Machine, expr: Expr): Callee {
  if (expr.kind === 'same') return calleeOf(m, expr.value)
  if (expr.kind === 'member') {
    const receiver = m.operations.evaluate(m, expr.object)
    const value = readMember(m, receiver, expr.property, expr.at)
    return { value, receiver, name: methodName(receiver, value, expr.property), method: expr.property }
  }
  if (expr.kind === 'index') {
    const receiver = m.operations.evaluate(m, expr.object)
    const key = m.operations.evaluate(m, expr.key)
    const method = typeof key.known === 'string' ? key.known : ''
    const value = readItem(m, receiver, key, expr.at)
    return { value, receiver, name: method === '' ? '' : methodName(receiver, value, method), method }
  }
  const value = m.operations.evaluate(m, expr)
  const name = value.name ?? ''
  const written = expr.kind === 'name' ? expr.name : ''
  return { value, receiver: null, name, method: name === '' ? written : lastSegment(name) }
}

function methodName(receiver: AbstractValue, value: AbstractValue, method: string): string {
  if (value.name !== undefined) return value.name
  if (receiver.name !== undefined) return qualifiedName(receiver.name, '.', method)
  return receiver.type === undefined
    ? qualifiedName('?', '.', method)
    : qualifiedName(bareType(receiver.type), '#', method)
}

function resultOf(m: Machine, event: CallEvent, callee: Callee): AbstractValue {
  const local = callProjectCode(m, event, callee)
  if (local) return sanitizeByName(m, event, local)
  const extension = invokeExtension(m, event)
  if (extension) return extension
  if (isAttribute(m, event, callee)) return callee.value
  const results = runCallbacks(m, event)
  const modelled = callModel(m, event)
  if (modelled) return withCallName(modelled, event)
  const own = evaluateBuiltin(m, event, results)
  if (own) {
    if (own.receiver) updateReceiver(m, event, own.receiver)
    return withCallName(own.value, event)
  }
  const guessed = invokeByMethodName(m, event)
  return sanitizeByName(m, event, guessed ?? unknownCallResult(event, results))
}

/** Ruby reads attributes through calls. */
const isAttribute = (
  { language }: Machine,
  { args, method, receiver }: CallEvent,
  { value }: Callee,
): boolean =>
  language === 'ruby' && args.length === 0 && !value.callable && (receiver?.fields?.has(method) ?? false)

function sanitizeByName(m: Machine, { method, expr }: CallEvent, value: AbstractValue): AbstractValue {
  const sinks = m.model.model.sanitizersByName
  if (!sinks || value.taints.length === 0) return value
  return sanitize(value, sinks(expr.callee.kind === 'name' ? expr.callee.name : method))
}

/** Calls a function or class of the scanned files. */
function callProjectCode(
  m: Machine,
  event: CallEvent,
  { value, receiver, method }: Callee,
): AbstractValue | undefined {
  const { expr, args } = event
  const above = superCall(expr)
  if (above !== undefined) return invokeSuper(m, above, args)
  if (value.classDefinition && (expr.isNew || !value.callable) && (value.type === undefined || expr.isNew))
    return construct(
      m,
      value.classDefinition,
      args.filter(({ name }) => name !== INITIALIZER),
    )
  if (receiver?.classDefinition && !receiver.fields?.has(method)) {
    const done = invokeMethod(m, receiver, method, args)
    if (done) {
      if (done.self && done.self !== receiver) updateReceiver(m, event, done.self)
      updateArguments(m, args, done)
      return done.value
    }
  }
  const callable = value.callable ?? (isFunctional(m, method) ? receiver?.callable : undefined)
  if (
    !callable &&
    m.language === 'javascript' &&
    receiver?.callable &&
    (method === 'call' || method === 'apply')
  )
    return invokeBorrowed(m, event, receiver.callable)
  if (!callable) return undefined
  const done = m.operations.invoke(m, callable, args, callable.self ?? receiver)
  if (done) updateArguments(m, args, done)
  return done?.value
}

/** `run.call(self, a, b)` and `run.apply(self, list)`. */
function invokeBorrowed(
  m: Machine,
  { args, method }: CallEvent,
  callable: Callable,
): AbstractValue | undefined {
  const [self, ...rest] = args
  const given = method === 'call' ? rest : rest.slice(0, 1).map((arg) => ({ ...arg, isSpread: true }))
  return m.operations.invoke(m, callable, given, callable.self ?? self?.value ?? null)?.value
}

/**
 * Null for `super(…)`, the method name for `super.method(…)` and Python's `super().method(…)`, undefined
 * for other calls.
 */
function superCall({ callee }: ExprOf<'call'>): string | null | undefined {
  const isSuper = (expr: Expr): boolean =>
    expr.kind === 'name' && (expr.name === 'super' || expr.name === 'parent')
  if (isSuper(callee)) return null
  if (callee.kind !== 'member') return undefined
  const { object, property } = callee
  const isAbove = isSuper(object) || (object.kind === 'call' && isSuper(object.callee))
  return isAbove ? property : undefined
}

/** Applies what the callee learned about its arguments, or wrote to them, to the variables of the caller. */
function updateArguments(
  m: Machine,
  args: readonly EvaluatedArgument[],
  { argumentsAfter: after }: CallResult,
): void {
  for (const [index, value] of after.entries()) {
    const arg = args[index]
    if (value && arg && arg.name === null && !arg.isSpread) assignTo(m, arg.expr, value)
  }
}

/** A function object is called through a method: of its interface in Java, `call` in Ruby and Dart. */
const isFunctional = ({ language }: Machine, method: string): boolean =>
  ((language === 'ruby' || language === 'dart') && method === 'call') ||
  ((language === 'java' || language === 'kotlin') &&
    /^(invoke|get|apply|accept|test|call|run)(As\w+)?$/.test(method))

function callModel(m: Machine, event: CallEvent): AbstractValue | undefined {
  const { name, method, receiver } = event
  for (const model of findMatches(m.model.calls, name, method, receiver)) {
    const value = model.returns(event)
    const after = model.receiver?.(event)
    if (after) updateReceiver(m, event, after)
    if (value) return value
  }
  const sources = m.model.sources
  if (sources.byLastSegment.has(method) || sources.prefixes.length > 0)
    for (const { origin } of findMatches(sources, name, method, receiver))
      return tainted(
        origin,
        event.source(event.expr.at).replace(/\s+/g, ' ').slice(0, 60),
        event.expr.at,
        event.path,
      )
  return undefined
}

function updateReceiver(m: Machine, { expr }: CallEvent, value: AbstractValue): void {
  const { callee } = expr
  if (callee.kind === 'member' || callee.kind === 'index') assignTo(m, callee.object, value)
}

/** The result of an unknown function: taints propagate with one more unknown call. */
function unknownCallResult(event: CallEvent, results: ReadonlyMap<number, AbstractValue>): AbstractValue {
  const { receiver, args, name, isNew } = event
  let taints = receiver ? allTaints(receiver) : []
  for (const { value } of args) taints = joinTaints(taints, allTaints(value, 2))
  const callables = args.filter(({ value }) => value.callable)
  // An unknown function that receives exactly one function probably returns a wrapper of it.
  const wrapped = callables.length === 1 && results.size <= 1 ? callables[0]?.value.callable : undefined
  const value: AbstractValue = { taints: afterUnknownCall(taints), ...(wrapped && { callable: wrapped }) }
  return withCallName(isNew && name !== '' ? { ...value, type: name } : value, event)
}

function withCallName(value: AbstractValue, { name }: CallEvent): AbstractValue {
  if (
    value.name !== undefined ||
    value.known !== undefined ||
    value.type === 'number' ||
    value.type === 'boolean'
  )
    return value
  if (name === '' || name.startsWith('?') || name.length > NAME_LENGTH_MAX) return value
  return { ...value, name: qualifiedName(name, '', '()') }
}
