// Callbacks: which values they receive from the called method, and which routes they handle.

import { type AbstractValue, type Callable, UNTAINTED } from '../../abstract-value.ts'
import type { CallEvent } from '../../rule.ts'
import type { HandlerRegistration, Machine, SourceFile } from '../machine.ts'
import { fileOf, recordRead } from '../units/trace.ts'
import { setUndoable } from '../units/undo.ts'
import { itemsOf, withoutConstant } from '../values/values.ts'
import { runOptionally } from '../values/variables.ts'

/** Methods that call the callback with each item of the receiver. */
const ITEM_CALLBACK_METHODS: ReadonlySet<string> = new Set(
  'map forEach filter find findIndex findLast some every flatMap each sort anyMatch allMatch noneMatch mapToObj peek ifPresent computeIfAbsent collect'.split(
    ' ',
  ),
)
const RUBY_ITEM_METHODS: ReadonlySet<string> = new Set(
  (
    'each map select reject collect flat_map filter filter_map find detect find_all find_each any? all? none? sort_by min_by max_by ' +
    'group_by partition each_with_index each_with_object each_slice each_pair each_value map! select! reject! sum to_h index_by ' +
    'take_while drop_while delete_if keep_if each_line each_entry reverse_each sum uniq count transform_values'
  ).split(' '),
)
const VALUE_CALLBACK_METHODS: ReadonlySet<string> = new Set(
  'then tap pipe finally catch thenApply thenAccept thenCompose let also apply'.split(' '),
)
const FOLD_METHODS: ReadonlySet<string> = new Set(['reduce', 'reduceRight', 'fold', 'inject'])

/** Interprets the functions among the arguments. Returns their results by the index of the argument. */
export function runCallbacks(m: Machine, event: CallEvent): ReadonlyMap<number, AbstractValue> {
  if (!event.args.some(({ value }) => value.callable || value.fields)) return NO_RESULTS
  const results = new Map<number, AbstractValue>()
  for (const [index, { value, expr }] of event.args.entries()) {
    for (const callable of callablesIn(value)) {
      const result = runCallback(m, event, callable, expr.kind !== 'name' && expr.kind !== 'member')
      if (result && callable === value.callable) results.set(index, result)
    }
  }
  return results
}

const NO_RESULTS: ReadonlyMap<number, AbstractValue> = new Map()
const DEPTH_MAX = 2

/** Includes handlers in lists and option objects. */
function callablesIn(value: AbstractValue, depth = DEPTH_MAX): Callable[] {
  if (value.callable) return [value.callable]
  if (depth === 0 || !value.fields || value.classDefinition) return []
  return [...value.fields.values()].flatMap((field) => callablesIn(field, depth - 1))
}

function runCallback(
  m: Machine,
  event: CallEvent,
  callable: Callable,
  isInline: boolean,
): AbstractValue | undefined {
  const given = callbackArguments(event)
  let result: AbstractValue | undefined
  if (given) {
    const args = given.map((value) => ({ name: null, isSpread: false, value, expr: event.expr }))
    runOptionally(m, () => {
      result = m.operations.invoke(m, callable, args, callable.self ?? null)?.value
      return true
    })
    return result
  }
  const registered: HandlerRegistration = { by: event.name, route: routeOf(event) }
  const home = fileOf(callable)
  recordRead(m, home)
  const before = m.registrations.get(callable.definition)
  // A wrapped handler is registered several times. The last registration wins, unless only an earlier one
  // has a route.
  if (!before?.route || registered.route) {
    setUndoable(m, m.registrations, callable.definition, registered)
    m.registeredFiles.set(callable.definition, home)
  }
  // Inline functions are analyzed here. Named functions are analyzed when all variables around them are
  // known.
  const isOwn = isInline && m.frame.pending.includes(callable)
  if (!isOwn && !isRouteOfOther(m, registered, home)) return undefined
  runOptionally(m, () => {
    result = m.operations.analyzeFunction(m, callable, m.registrations.get(callable.definition) ?? registered)
    return true
  })
  return result
}

/** The analysis of the other file cannot know this registration. */
const isRouteOfOther = (
  { trace, frame }: Machine,
  { route }: HandlerRegistration,
  home: SourceFile,
): boolean => trace.isUnit && route !== null && frame.file === trace.file && home !== trace.file

function callbackArguments({
  method,
  receiver,
  arg,
  language,
}: CallEvent): readonly AbstractValue[] | undefined {
  if (!receiver) return undefined
  if (language === 'ruby') return rubyArguments(method, receiver)
  if (ITEM_CALLBACK_METHODS.has(method)) return [itemsOf(receiver), UNTAINTED, receiver]
  if (VALUE_CALLBACK_METHODS.has(method)) return [receiver]
  if (!FOLD_METHODS.has(method)) return undefined
  const items = itemsOf(receiver)
  const start = method === 'reduce' ? arg(1)?.value : undefined
  return [start ? accumulatorOf(start) : items, items, UNTAINTED]
}

/** The block of a hash receives a key and a value. */
function rubyArguments(method: string, receiver: AbstractValue): readonly AbstractValue[] | undefined {
  if (/^(?:then|yield_self|tap|try)$/.test(method)) return [receiver]
  const items = itemsOf(receiver)
  if (method === 'inject' || method === 'reduce') return [items, items]
  if (!RUBY_ITEM_METHODS.has(method)) return undefined
  if (/_with_/.test(method)) return [items, UNTAINTED]
  const isHash = receiver.fields !== undefined && receiver.size === undefined
  return isHash || receiver.taints.length > 0 ? [items, items] : [items, UNTAINTED]
}

/** The initial value applies only to the first iteration. A string stays the beginning of the result. */
const accumulatorOf = (start: AbstractValue): AbstractValue =>
  typeof start.known === 'string' && start.known !== ''
    ? { taints: start.taints, type: 'string', pieces: [start.known] }
    : withoutConstant(start)

const ROUTE_METHODS: ReadonlySet<string> = new Set(
  'get post put patch delete del all use head options route'.split(' '),
)

/** `POST /webhooks/paystack`, if the function is registered with a router. */
export function routeOf({ method, args }: CallEvent): string | null {
  const path = args[0]?.value.known
  if (typeof path !== 'string' || !(ROUTE_METHODS.has(method) || path.startsWith('/'))) return null
  const verb =
    ROUTE_METHODS.has(method) && method !== 'use' && method !== 'all' && method !== 'route'
      ? method.toUpperCase()
      : 'ANY'
  return `${verb} ${path}`
}
