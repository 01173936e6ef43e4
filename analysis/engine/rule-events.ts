// Emits events to the rules and collects their hits: one per rule and position, with the highest
// confidence.

import type { AbstractValue } from '../abstract-value.ts'
import type { Expr, ExprOf, FunctionDefinition, Stmt } from '../ir.ts'
import type { AssignEvent, CallEvent, EvaluatedArgument, EventContext, Hit, Rule, Visitor } from '../rule.ts'
import type { SourceRange } from '../syntax/tree.ts'
import { ownerOf } from './calls/internal-callers.ts'
import { addHit } from './hits.ts'
import type { Frame, Machine, SourceFile } from './machine.ts'
import { dispatch } from './rule-dispatch.ts'

const CALLS_PER_FILE_MAX = 20_000

export function eventContext({ frame, language, lookUp, part }: Machine): EventContext {
  const { file, functions, classes, conditions, loops } = frame
  const { path, text, source, imports } = file
  return {
    part,
    path,
    text,
    language,
    functions,
    classes,
    conditions,
    isInLoop: loops > 0,
    source,
    lookUp,
    imports,
  }
}

export type CallFacts = Pick<CallEvent, 'expr' | 'name' | 'method' | 'receiver' | 'args' | 'isUsed'>

export function callEvent(m: Machine, { expr, name, method, receiver, args, isUsed }: CallFacts): CallEvent {
  const { file, functions, classes, conditions, loops } = m.frame
  return {
    part: m.part,
    path: file.path,
    text: file.text,
    language: m.language,
    functions,
    classes,
    conditions,
    isInLoop: loops > 0,
    source: file.source,
    lookUp: m.lookUp,
    imports: file.imports,
    expr,
    name,
    method,
    receiver,
    args,
    isNew: expr.isNew,
    isUsed,
    arg: (index) => positional(args, index),
    option: (key) => optionOf(args, key),
  }
}

function positional(args: readonly EvaluatedArgument[], index: number): EvaluatedArgument | undefined {
  let left = index
  for (const arg of args) {
    if (arg.name !== null) continue
    if (arg.isSpread) return spreadItem(arg, left)
    if (left === 0) return arg
    left -= 1
  }
  return undefined
}

function spreadItem(arg: EvaluatedArgument, index: number): EvaluatedArgument | undefined {
  const value = arg.value.fields?.get(String(index)) ?? arg.value.others
  if (value) return { ...arg, value }
  return arg.value.taints.length > 0 ? { ...arg, value: { taints: arg.value.taints } } : undefined
}

function optionOf(args: readonly EvaluatedArgument[], key: string): AbstractValue | undefined {
  for (const { name, value } of args) {
    if (name === key) return value
    const entry = name === null ? value.fields?.get(key) : undefined
    if (entry) return entry
  }
  return undefined
}

export function emitCall(m: Machine, event: CallEvent): void {
  const { frame } = m
  if (frame.calls.size < CALLS_PER_FILE_MAX) frame.calls.set(event.expr, event)
  const { at } = event.expr
  dispatch(m.ruleHandlers.calls, event, ({ rule, handle }, seen) =>
    runAndReport<'call'>(m, rule, handle, seen, at),
  )
}

export function emitAssign(m: Machine, key: Expr, facts: Omit<AssignEvent, keyof EventContext>): void {
  if (m.ruleHandlers.assign.length + m.ruleHandlers.function.length + m.ruleHandlers.program.length === 0)
    return
  const { name, target, object, operator, value, expr, type, isField, isEntry } = facts
  const event: AssignEvent = {
    ...eventContext(m),
    name,
    target,
    object,
    operator,
    value,
    expr,
    type,
    isField,
    isEntry,
  }
  if (m.frame.assigns.size < CALLS_PER_FILE_MAX) m.frame.assigns.set(key, event)
  const { at } = event.expr
  dispatch(m.ruleHandlers.assigns, event, ({ rule, handle }, seen) =>
    runAndReport<'assign'>(m, rule, handle, seen, at),
  )
}

export function emitCompare(
  m: Machine,
  expr: ExprOf<'binary'> & Expr,
  left: AbstractValue,
  right: AbstractValue,
): void {
  const event = { ...eventContext(m), expr, operator: expr.operator, left, right }
  m.frame.compares.set(expr, event)
  emit(m, 'compare', event, expr.at)
}

export function emitReturn(
  m: Machine,
  key: Stmt | Expr,
  value: AbstractValue,
  expr: Expr | null,
  at: SourceRange,
): void {
  const event = { ...eventContext(m), value, expr, at }
  m.frame.returns.set(key, event)
  emit(m, 'return', event, at)
}

export function emitFunction(m: Machine, definition: FunctionDefinition, route: string | null): void {
  const { calls, assigns, compares, returns, file } = m.frame
  if (file === m.trace.file) file.functions.push(definition)
  collectFileEvents(m, m.frame)
  if (m.ruleHandlers.function.length === 0) return
  const event = {
    ...eventContext(m),
    definition,
    at: definition.at,
    calls: [...calls.values()].sort((one, other) => one.expr.at.start - other.expr.at.start),
    assigns: [...assigns.values()],
    compares: [...compares.values()],
    returns: [...returns.values()],
    route,
  }
  emit(m, 'function', event, definition.at)
}

/** Collects the events of a frame for rules that inspect the whole file. */
export function collectFileEvents(
  { ruleHandlers: watchers, trace }: Machine,
  { file, calls, assigns }: Frame,
): void {
  // The functions of another file are also analyzed there.
  if (watchers.program.length === 0 || file !== trace.file) return
  if (file.calls.length > CALLS_PER_FILE_MAX || file.assigns.length > CALLS_PER_FILE_MAX) return
  for (const event of calls.values()) file.calls.push(event)
  for (const event of assigns.values()) file.assigns.push(event)
}

export function emitProgram(m: Machine, file: SourceFile): void {
  if (m.ruleHandlers.program.length === 0) return
  const { program, calls, assigns, functions } = file
  emit(m, 'program', { ...eventContext(m), program, calls, assigns, functions }, WHOLE_FILE)
}

/** For rules about several files: once per file, with the facts of all parts of the scan. */
export function emitProject(m: Machine, file: SourceFile, parts: readonly object[]): void {
  if (m.ruleHandlers.project.length === 0) return
  emit(m, 'project', { ...eventContext(m), program: file.program, parts }, WHOLE_FILE)
}

const WHOLE_FILE: SourceRange = { start: 0, end: 0, line: 1, endLine: 1 }

type EventOf<K extends keyof Visitor> = Parameters<NonNullable<Visitor[K]>>[0]

export function emit<K extends keyof Visitor>(m: Machine, kind: K, event: EventOf<K>, at: SourceRange): void {
  for (const { rule, handle } of m.ruleHandlers[kind]) runAndReport(m, rule, handle as Handler<K>, event, at)
}

function runAndReport<K extends keyof Visitor>(
  m: Machine,
  rule: Rule,
  handle: Handler<K>,
  event: EventOf<K>,
  at: SourceRange,
): void {
  const found = runRule(m, rule, handle, event)
  if (found !== undefined) for (const hit of [found].flat()) report(m, rule, hit, at)
}

type Handler<K extends keyof Visitor> = (event: EventOf<K>) => Hit | readonly Hit[] | undefined

/** A failing rule reports nothing, and the file is marked as not fully scanned. */
function runRule<K extends keyof Visitor>(m: Machine, rule: Rule, handle: Handler<K>, event: EventOf<K>) {
  try {
    return handle.call(rule.on, event)
  } catch (error) {
    m.frame.file.incompleteReason ??= 'failed'
    m.failures += 1
    m.onFailure(m.frame.file.path, error)
    return undefined
  }
}

function report(m: Machine, rule: Rule, hit: Hit, at: SourceRange): void {
  const { file, functions } = m.frame
  const key = `${rule.id} ${hit.at.start} ${file.path}`
  addHit(m.hits, key, {
    rule,
    hit,
    file,
    functionName: functions.map(({ name }) => name).find((name) => name !== '') ?? '',
    at,
    owner: ownerOf(m, hit),
  })
}
