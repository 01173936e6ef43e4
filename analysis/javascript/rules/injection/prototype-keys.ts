// Tracks where the variables of a function get their values and keys from.
import type { Expr } from '../../../ir.ts'
import { boundNames, type Part } from '../../ir-walk.ts'

export type Assignment = { readonly target: Expr; readonly value: Expr }

/** All assignments: declarations, loops and parameters of list callbacks. */
export function assignmentsIn(part: Part): Assignment[] {
  if (part.kind === 'declare') return part.value ? [{ target: part.target, value: part.value }] : []
  if (part.kind === 'assign')
    return part.operator === null ? [{ target: part.target, value: part.value }] : []
  if (part.kind === 'loop') {
    const { over } = part
    return over
      ? [part.each, part.eachKey].flatMap((target) => (target ? [{ target, value: over }] : []))
      : []
  }
  if (part.kind !== 'call') return []
  const { callee, args } = part
  const callback = args.find(({ value }) => value.kind === 'function')?.value
  if (callback?.kind !== 'function') return []
  const over = callee.kind === 'member' && args[0]?.value === callback ? callee.object : args[0]?.value
  return over ? callback.definition.parameters.map(({ target }) => ({ target, value: over })) : []
}

/** `keys.push(key)`. */
export function addedTo(part: Part): { readonly list: string; readonly value: Expr }[] {
  if (part.kind !== 'call' || part.callee.kind !== 'member') return []
  const { object, property } = part.callee
  if (object.kind !== 'name' || (property !== 'push' && property !== 'unshift')) return []
  return part.args.map(({ value }) => ({ list: object.name, value }))
}

/**
 * `[key, value]` of `Object.entries(x)` and `(value, key)` of `_.each(x, …)`, where the value is `x[key]`.
 */
export function pairsIn(part: Part): [string, string, string][] {
  if (part.kind === 'loop' && part.each?.kind === 'list' && part.over?.kind === 'call') {
    const [key, value] = part.each.items.map((item) => item.value)
    const [first] = part.over.args
    if (key?.kind === 'name' && value?.kind === 'name' && first?.value.kind === 'name')
      return [[value.name, first.value.name, key.name]]
  }
  if (
    part.kind !== 'call' ||
    part.callee.kind !== 'member' ||
    !/^(?:each|forEach|forOwn|forIn|map)$/.test(part.callee.property)
  )
    return []
  const [over, callback] = part.args.map(({ value }) => value)
  if (over?.kind !== 'name' || callback?.kind !== 'function') return []
  const [value, key] = callback.definition.parameters.map(({ target }) => target)
  return value?.kind === 'name' && key?.kind === 'name' ? [[value.name, over.name, key.name]] : []
}

/** Whether the keys come from the object itself, so that a write only changes existing properties. */
export function isOwnKey(assigns: readonly Assignment[], object: string, key: Expr): boolean {
  if (key.kind !== 'name') return false
  const own = new Set([object])
  for (const { target, value } of assigns)
    if (target.kind === 'name' && isKeysOf(value, own)) own.add(target.name)
  const sources = assigns.filter(({ target }) => boundNames(target).includes(key.name))
  return sources.length > 0 && sources.every(({ value }) => isKeysOf(value, own))
}

/** `object`, `Object.keys(object)`, `keys[i]`, `keys.pop()`. */
function isKeysOf(value: Expr, own: ReadonlySet<string>): boolean {
  if (value.kind === 'name') return own.has(value.name)
  if (value.kind === 'index') return value.object.kind === 'name' && own.has(value.object.name)
  if (value.kind !== 'call' || value.callee.kind !== 'member') return false
  const { object, property } = value.callee
  if (/^(?:filter|sort|slice|reverse)$/.test(property) && isKeysOf(object, own)) return true
  if (object.kind === 'name' && own.has(object.name)) return /^(?:pop|shift)$/.test(property)
  const [first] = value.args
  return (
    /^(?:keys|entries|getOwnPropertyNames)$/.test(property) &&
    first?.value.kind === 'name' &&
    own.has(first.value.name)
  )
}
