// Functions that are handed to others: what they are called with when nobody knows the other, and who handles a route.

import { type Callable, CLEAN, type Value } from '../../abstract-value.ts'
import type { CallEvent } from '../../rule.ts'
import type { Machine, Registered } from '../machine.ts'
import { itemsOf, withoutKnown } from '../values/values.ts'
import { perhaps } from '../values/variables.ts'

/** Methods that call what they are given with the items of what they are called on. */
const EACH: ReadonlySet<string> = new Set(
  'map forEach filter find findIndex findLast some every flatMap each sort anyMatch allMatch noneMatch mapToObj peek ifPresent computeIfAbsent collect'.split(
    ' ',
  ),
)
const WHOLE: ReadonlySet<string> = new Set(
  'then tap pipe finally catch thenApply thenAccept thenCompose let also apply'.split(' '),
)
const FOLDS: ReadonlySet<string> = new Set(['reduce', 'reduceRight', 'fold', 'inject'])

/** Goes through the functions among the arguments. Returns what they gave back, by the place of the argument. */
export function runCallbacks(m: Machine, event: CallEvent): ReadonlyMap<number, Value> {
  if (!event.args.some(({ value }) => value.callable || value.fields)) return NO_RESULTS
  const results = new Map<number, Value>()
  for (const [index, { value, expr }] of event.args.entries()) {
    for (const callable of callablesIn(value)) {
      const result = runCallback(m, event, callable, expr.kind !== 'name' && expr.kind !== 'member')
      if (result && callable === value.callable) results.set(index, result)
    }
  }
  return results
}

const NO_RESULTS: ReadonlyMap<number, Value> = new Map()
const DEPTH_MAX = 2

/** Also handlers in a list, and among the options. */
function callablesIn(value: Value, depth = DEPTH_MAX): Callable[] {
  if (value.callable) return [value.callable]
  if (depth === 0 || !value.fields || value.of) return []
  return [...value.fields.values()].flatMap((field) => callablesIn(field, depth - 1))
}

function runCallback(m: Machine, event: CallEvent, callable: Callable, isInline: boolean): Value | undefined {
  const given = givenTo(event)
  let result: Value | undefined
  if (given) {
    const args = given.map((value) => ({ name: null, isSpread: false, value, expr: event.expr }))
    perhaps(m, () => {
      result = m.parts.invoke(m, callable, args, callable.self ?? null)?.value
      return true
    })
    return result
  }
  const registered: Registered = { by: event.name, route: routeOf(event) }
  const before = m.registered.get(callable.definition)
  // A handler that is wrapped is registered more than once: the last knows best, but for the one with the route.
  if (!before?.route || registered.route) m.registered.set(callable.definition, registered)
  // What stands there is gone through there; what has a name, when everything around it is known.
  if (!isInline || !m.frame.pending.includes(callable)) return undefined
  perhaps(m, () => {
    result = m.parts.goThrough(m, callable, m.registered.get(callable.definition) ?? registered)
    return true
  })
  return result
}

function givenTo({ method, receiver, arg }: CallEvent): readonly Value[] | undefined {
  if (!receiver) return undefined
  if (EACH.has(method)) return [itemsOf(receiver), CLEAN, receiver]
  if (WHOLE.has(method)) return [receiver]
  if (!FOLDS.has(method)) return undefined
  const items = itemsOf(receiver)
  const start = method === 'reduce' ? arg(1)?.value : undefined
  return [start ? begun(start) : items, items, CLEAN]
}

/** What a fold begins with is there only the first time: a text stays the beginning of what is made of it. */
const begun = (start: Value): Value =>
  typeof start.known === 'string' && start.known !== ''
    ? { taints: start.taints, type: 'string', pieces: [start.known] }
    : withoutKnown(start)

const VERBS: ReadonlySet<string> = new Set(
  'get post put patch delete del all use head options route'.split(' '),
)

/** `POST /webhooks/paystack`, where a function is handed to something like a router. */
export function routeOf({ method, args }: CallEvent): string | null {
  const path = args[0]?.value.known
  if (typeof path !== 'string' || !(VERBS.has(method) || path.startsWith('/'))) return null
  const verb =
    VERBS.has(method) && method !== 'use' && method !== 'all' && method !== 'route'
      ? method.toUpperCase()
      : 'ANY'
  return `${verb} ${path}`
}
