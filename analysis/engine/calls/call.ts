// A call: what it is called, what it is given, what comes back.

import type { Callable, Value } from '../../abstract-value.ts'
import type { Argument, Expr, ExprOf } from '../../ir.ts'
import type { CallEvent, EvaluatedArgument } from '../../rule.ts'
import { EQUALS, MEMBERSHIPS } from '../evaluation/refine.ts'
import type { Machine, Result } from '../machine.ts'
import { bare, lastPart, matching } from '../name-patterns.ts'
import { callEvent, tellCall } from '../rule-events.ts'
import { put } from '../values/assignable.ts'
import { builtIn } from '../values/builtin-methods.ts'
import { readItem, readMember } from '../values/members.ts'
import { allTaints, cleaned, doubted, joinTaints, tainted } from '../values/values.ts'
import { runCallbacks } from './callbacks.ts'
import { construct, invokeMethod, invokeSuper } from './classes.ts'

const NAME_LENGTH_MAX = 120

type Callee = {
  readonly value: Value
  readonly receiver: Value | null
  readonly name: string
  readonly method: string
}

export function evaluateCall(m: Machine, expr: ExprOf<'call'> & Expr): Value {
  const callee = calleeOf(m, expr.callee)
  const args = evaluateArguments(m, expr.args)
  const { statement } = m.frame
  const isUsed = !(statement?.kind === 'expression' && statement.value === expr)
  const { name, method, receiver } = callee
  const event = callEvent(m, { expr, name, method, receiver, args, isUsed })
  tellCall(m, event)
  const value = resultOf(m, event, callee)
  if (value.known !== undefined || !isQuestion(m, event, callee)) return value
  const answer = { ...value }
  m.questions.set(answer, expr)
  return answer
}

/** Whether the answer is worth asking about again, should it be kept in a variable. */
const isQuestion = (m: Machine, { method }: CallEvent, { value }: Callee): boolean =>
  m.model.guards.byLast.has(method) ||
  value.callable !== undefined ||
  MEMBERSHIPS.has(method) ||
  EQUALS.has(method)

export function evaluateArguments(m: Machine, args: readonly Argument[]): EvaluatedArgument[] {
  return args.map(({ name, isSpread, value: expr }) => ({
    name,
    isSpread,
    expr,
    value: m.parts.evaluate(m, expr),
  }))
}

function calleeOf(m: Machine, expr: Expr): Callee {
  if (expr.kind === 'same') return calleeOf(m, expr.value)
  if (expr.kind === 'member') {
    const receiver = m.parts.evaluate(m, expr.object)
    const value = readMember(m, receiver, expr.property, expr.at)
    return { value, receiver, name: methodName(receiver, value, expr.property), method: expr.property }
  }
  if (expr.kind === 'index') {
    const receiver = m.parts.evaluate(m, expr.object)
    const key = m.parts.evaluate(m, expr.key)
    const method = typeof key.known === 'string' ? key.known : ''
    const value = readItem(m, receiver, key, expr.at)
    return { value, receiver, name: method === '' ? '' : methodName(receiver, value, method), method }
  }
  const value = m.parts.evaluate(m, expr)
  const name = value.name ?? ''
  const written = expr.kind === 'name' ? expr.name : ''
  return { value, receiver: null, name, method: name === '' ? written : lastPart(name) }
}

function methodName(receiver: Value, value: Value, method: string): string {
  if (value.name !== undefined) return value.name
  if (receiver.name !== undefined) return `${receiver.name}.${method}`
  return receiver.type === undefined ? `?.${method}` : `${bare(receiver.type)}#${method}`
}

function resultOf(m: Machine, event: CallEvent, callee: Callee): Value {
  const local = ofOurCode(m, event, callee)
  if (local) return cleanedByName(m, event, local)
  const results = runCallbacks(m, event)
  const modelled = byModel(m, event)
  if (modelled) return named(modelled, event)
  const own = builtIn(m, event, results)
  if (own) {
    if (own.receiver) putReceiver(m, event, own.receiver)
    return named(own.value, event)
  }
  return cleanedByName(m, event, unknown(event, results))
}

function cleanedByName(m: Machine, { method, expr }: CallEvent, value: Value): Value {
  const tags = m.model.model.cleansByName
  if (!tags || value.taints.length === 0) return value
  return cleaned(value, tags(expr.callee.kind === 'name' ? expr.callee.name : method))
}

/** A function or class of the files that are looked at. */
function ofOurCode(m: Machine, event: CallEvent, { value, receiver, method }: Callee): Value | undefined {
  const { expr, args } = event
  const above = superCall(expr)
  if (above !== undefined) return invokeSuper(m, above, args)
  if (value.of && (expr.isNew || !value.callable) && (value.type === undefined || expr.isNew))
    return construct(m, value.of, args)
  if (receiver?.of && !receiver.fields?.has(method)) {
    const done = invokeMethod(m, receiver, method, args)
    if (done) {
      if (done.self && done.self !== receiver) putReceiver(m, event, done.self)
      putArguments(m, args, done)
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
  const done = m.parts.invoke(m, callable, args, callable.self ?? receiver)
  if (done) putArguments(m, args, done)
  return done?.value
}

/** `run.call(self, a, b)` and `run.apply(self, list)`. */
function invokeBorrowed(m: Machine, { args, method }: CallEvent, callable: Callable): Value | undefined {
  const [self, ...rest] = args
  const given = method === 'call' ? rest : rest.slice(0, 1).map((arg) => ({ ...arg, isSpread: true }))
  return m.parts.invoke(m, callable, given, callable.self ?? self?.value ?? null)?.value
}

/** `super(…)` is null; `super.method(…)` and Python's `super().method(…)` are the method; undefined is no such call. */
function superCall({ callee }: ExprOf<'call'>): string | null | undefined {
  const isSuper = (expr: Expr): boolean =>
    expr.kind === 'name' && (expr.name === 'super' || expr.name === 'parent')
  if (isSuper(callee)) return null
  if (callee.kind !== 'member') return undefined
  const { object, property } = callee
  const isAbove = isSuper(object) || (object.kind === 'call' && isSuper(object.callee))
  return isAbove ? property : undefined
}

/** What a function of ours found out about its arguments or put into them is so for its caller too. */
function putArguments(m: Machine, args: readonly EvaluatedArgument[], { after }: Result): void {
  for (const [index, value] of after.entries()) {
    const arg = args[index]
    if (value && arg && arg.name === null && !arg.isSpread) put(m, arg.expr, value)
  }
}

/** Java calls what is held as a function by the one method of its interface. */
const isFunctional = ({ language }: Machine, method: string): boolean =>
  language === 'java' && /^(get|apply|accept|test|call|run)(As\w+)?$/.test(method)

function byModel(m: Machine, event: CallEvent): Value | undefined {
  const { name, method, receiver } = event
  for (const model of matching(m.model.calls, name, method, receiver)) {
    const value = model.returns(event)
    const after = model.receiver?.(event)
    if (after) putReceiver(m, event, after)
    if (value) return value
  }
  const brought = m.model.sources
  if (brought.byLast.has(method) || brought.beginnings.length > 0)
    for (const { origin } of matching(brought, name, method, receiver))
      return tainted(
        origin,
        event.source(event.expr.at).replace(/\s+/g, ' ').slice(0, 60),
        event.expr.at,
        event.path,
      )
  return undefined
}

function putReceiver(m: Machine, { expr }: CallEvent, value: Value): void {
  const { callee } = expr
  if (callee.kind === 'member' || callee.kind === 'index') put(m, callee.object, value)
}

/** Nothing is known of it: what went in comes out, with a doubt. */
function unknown(event: CallEvent, results: ReadonlyMap<number, Value>): Value {
  const { receiver, args, name, isNew } = event
  let taints = receiver ? allTaints(receiver) : []
  for (const { value } of args) taints = joinTaints(taints, allTaints(value, 2))
  const callables = args.filter(({ value }) => value.callable)
  // What is handed one function and gives back something callable is most likely a wrapper of it.
  const wrapped = callables.length === 1 && results.size <= 1 ? callables[0]?.value.callable : undefined
  const value: Value = { taints: doubted(taints), ...(wrapped && { callable: wrapped }) }
  return named(isNew && name !== '' ? { ...value, type: name } : value, event)
}

function named(value: Value, { name }: CallEvent): Value {
  if (
    value.name !== undefined ||
    value.known !== undefined ||
    value.type === 'number' ||
    value.type === 'boolean'
  )
    return value
  if (name === '' || name.startsWith('?') || name.length > NAME_LENGTH_MAX) return value
  return { ...value, name: `${name}()` }
}
