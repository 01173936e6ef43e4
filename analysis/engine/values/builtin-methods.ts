// Methods of strings, lists and maps that several languages share. A language model can override them.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import type { CallEvent } from '../../rule.ts'
import type { Machine } from '../machine.ts'
import { readItem } from './members.ts'
import {
  allTaints,
  concat,
  constantValue,
  itemsOf,
  join,
  joinTaints,
  listOf,
  withField,
  withOthers,
} from './values.ts'

export type BuiltinResult = { readonly value: AbstractValue; readonly receiver?: AbstractValue }

export function evaluateBuiltin(
  m: Machine,
  event: CallEvent,
  results: ReadonlyMap<number, AbstractValue>,
): BuiltinResult | undefined {
  const { receiver, method } = event
  if (!receiver) return undefined
  if (SCALAR_METHODS.has(method)) return { value: evaluateScalar(m, event) }
  const first = event.arg(0)?.value
  if (typeof receiver.known === 'string') {
    const folded = foldStringMethod(receiver.known, method, event)
    if (folded) return { value: folded }
  }
  if (isCollection(receiver)) {
    const done = evaluateCollectionMethod(m, event, receiver, first)
    if (done) return done
  }
  const result = results.get(0)
  if (result && CALLBACK_METHODS.has(method)) return { value: callbackResult(method, receiver, result) }
  if (STRING_METHODS.has(method))
    return { value: { taints: joinTaints(allTaints(receiver), argumentTaints(event)), type: 'string' } }
  if (JOIN_METHODS.has(method)) return { value: joinItems(receiver, first) }
  return undefined
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** These return booleans and numbers, so they do not propagate taint. */
const SCALAR_METHODS = words(
  'includes has contains containsKey containsValue startsWith endsWith startswith endswith indexOf lastIndexOf search test equals ' +
    'equalsIgnoreCase compareTo isEmpty isBlank hasOwnProperty exists length size count charCodeAt codePointAt hashCode find_index ' +
    'isdigit isalpha isalnum isnumeric some every hasNext hasMoreElements matches localeCompare isPresent',
)
/** These return the string or a part of it. */
const STRING_METHODS = words(
  'toString trim strip lstrip rstrip trimStart trimEnd toLowerCase toUpperCase lower upper title capitalize casefold substring substr ' +
    'slice charAt concat replace replaceAll repeat padStart padEnd normalize at decode encode intern valueOf getBytes toCharArray ' +
    'ljust rjust zfill removeprefix removesuffix stripLeading stripTrailing formatted toJSON expandtabs translate replaceFirst',
)
const JOIN_METHODS = words('join')
const CALLBACK_METHODS = words('map flatMap then reduce reduceRight filter find sort catch finally findLast')

function isCollection(value: AbstractValue): boolean {
  return (
    (value.fields !== undefined || value.others !== undefined) &&
    !value.classDefinition &&
    !value.callable &&
    value.known === undefined
  )
}

/** Folds the condition if both sides are known. `refine` handles unknown values. */
function evaluateScalar(_m: Machine, event: CallEvent): AbstractValue {
  const { receiver, method } = event
  const first = event.arg(0)?.value
  if (typeof receiver?.known === 'string') {
    const text = receiver.known
    const other = first?.known
    if (method === 'length' || method === 'size') return constantValue(text.length)
    if (method === 'isEmpty') return constantValue(text === '')
    if (typeof other === 'string') {
      if (method === 'includes' || method === 'contains') return constantValue(text.includes(other))
      if (method === 'startsWith' || method === 'startswith') return constantValue(text.startsWith(other))
      if (method === 'endsWith' || method === 'endswith') return constantValue(text.endsWith(other))
      if (method === 'equals') return constantValue(text === other)
      if (method === 'equalsIgnoreCase') return constantValue(text.toLowerCase() === other.toLowerCase())
      if (method === 'indexOf') return constantValue(text.indexOf(other))
    }
  }
  if ((method === 'size' || method === 'length') && receiver?.size !== undefined)
    return constantValue(receiver.size)
  const isNumber = /^(length|size|count|.*[iI]ndexOf|charCodeAt|codePointAt|hashCode|search|compareTo)$/.test(
    method,
  )
  return { taints: [], type: isNumber ? 'number' : 'boolean' }
}

function foldStringMethod(text: string, method: string, event: CallEvent): AbstractValue | undefined {
  const args = event.args.map(({ value }) => value.known)
  if (args.some((arg) => arg === undefined)) return undefined
  const [one, other] = args
  switch (method) {
    case 'charAt':
    case 'at':
      return typeof one === 'number' ? constantValue(text.at(one) ?? '') : undefined
    case 'toLowerCase':
    case 'lower':
      return constantValue(text.toLowerCase())
    case 'toUpperCase':
    case 'upper':
      return constantValue(text.toUpperCase())
    case 'trim':
    case 'strip':
      return args.length === 0 ? constantValue(text.trim()) : undefined
    case 'toString':
    case 'valueOf':
    case 'intern':
      return constantValue(text)
    case 'substring':
    case 'slice':
      if (typeof one !== 'number' || (other !== undefined && typeof other !== 'number')) return undefined
      return constantValue(method === 'slice' ? text.slice(one, other) : text.substring(one, other))
    case 'concat':
      return constantValue(text + args.join(''))
    case 'replace':
    case 'replaceAll':
      return typeof one === 'string' && typeof other === 'string'
        ? constantValue(text.replaceAll(one, other))
        : undefined
    case 'split':
      return typeof one === 'string' && one !== '' && args.length === 1
        ? listOf(text.split(one).map(constantValue))
        : undefined
    default:
      return undefined
  }
}

function evaluateCollectionMethod(
  m: Machine,
  event: CallEvent,
  receiver: AbstractValue,
  first: AbstractValue | undefined,
): BuiltinResult | undefined {
  const second = event.arg(1)?.value
  switch (event.method) {
    case 'push':
    case 'append':
    case 'add':
    case 'addLast':
    case 'offer':
    case 'addElement':
      if (!first) return undefined
      if (second && event.method === 'add')
        return { value: UNTAINTED, receiver: insertItem(receiver, first, second) }
      return {
        value: UNTAINTED,
        receiver: appendItems(
          receiver,
          event.args.map(({ value, isSpread }) => (isSpread ? itemsOf(value) : value)),
        ),
      }
    case 'put':
    case 'set':
    case 'setdefault':
    case 'putIfAbsent':
    case 'setProperty':
    case 'setAttribute':
      return first && second ? { value: UNTAINTED, receiver: setEntry(receiver, first, second) } : undefined
    case 'get':
    case 'getOrDefault':
    case 'elementAt':
    case 'getProperty':
    case 'getAttribute': {
      if (!first) return undefined
      const found = readItem(m, receiver, first, event.expr.at)
      const isThere = first.known !== undefined && receiver.fields?.has(String(first.known))
      return { value: second && !isThere ? join(found, second) : found }
    }
    case 'remove':
    case 'delete':
      return first
        ? { value: readItem(m, receiver, first), receiver: removeItem(receiver, first) }
        : undefined
    case 'pop':
    case 'shift':
      return {
        value: itemsOf(receiver),
        receiver: event.method === 'pop' ? popItem(receiver) : removeItem(receiver, constantValue(0)),
      }
    case 'update':
    case 'extend':
    case 'addAll':
    case 'putAll':
      return first ? { value: UNTAINTED, receiver: mergeEntries(receiver, first) } : undefined
    case 'values':
    case 'toArray':
    case 'stream':
    case 'copy':
    case 'iterator':
    case 'elements':
      return { value: { taints: receiver.taints, others: itemsOf(receiver) } }
    case 'next':
    case 'nextElement':
    case 'first':
    case 'last':
      return { value: itemsOf(receiver) }
    case 'keys':
    case 'keySet':
      return {
        value: { taints: [], others: receiver.taints.length > 0 ? { taints: receiver.taints } : UNTAINTED },
      }
    default:
      return undefined
  }
}

function appendItems(list: AbstractValue, items: readonly AbstractValue[]): AbstractValue {
  let value = list
  for (const item of items) {
    if (value.size === undefined) value = withOthers(value, item)
    else value = { ...withField(value, String(value.size), item), size: value.size + 1 }
  }
  return value
}

function insertItem(list: AbstractValue, index: AbstractValue, item: AbstractValue): AbstractValue {
  const items = itemList(list)
  if (!items || typeof index.known !== 'number') return withOthers(list, item)
  return { ...list, ...listOf(items.toSpliced(index.known, 0, item)), type: list.type ?? 'list' }
}

function removeItem(value: AbstractValue, key: AbstractValue): AbstractValue {
  const items = itemList(value)
  if (items && typeof key.known === 'number')
    return { ...value, ...listOf(items.toSpliced(key.known, 1)), type: value.type ?? 'list' }
  if (key.known === undefined || key.known === null || items) return value
  const fields = new Map(value.fields)
  fields.delete(String(key.known))
  return { ...value, fields }
}

function popItem(value: AbstractValue): AbstractValue {
  const items = itemList(value)
  return items ? { ...value, ...listOf(items.slice(0, -1)), type: value.type ?? 'list' } : value
}

/** The items of a list, if all of them are known. */
function itemList({ size, fields, others }: AbstractValue): AbstractValue[] | undefined {
  if (size === undefined || others || !fields) return undefined
  return Array.from({ length: size }, (_, index) => fields.get(String(index)) ?? UNTAINTED)
}

const setEntry = (map: AbstractValue, key: AbstractValue, value: AbstractValue): AbstractValue =>
  key.known === undefined || key.known === null
    ? withOthers(map, value)
    : withField(map, String(key.known), value)

function mergeEntries(value: AbstractValue, given: AbstractValue): AbstractValue {
  const items = itemList(given)
  if (value.size !== undefined && items) return appendItems(value, items)
  if (value.size !== undefined) return withOthers(value, itemsOf(given))
  const fields = new Map([...(value.fields ?? []), ...(given.fields ?? [])])
  const others = given.others ?? value.others
  return { ...value, taints: joinTaints(value.taints, given.taints), fields, ...(others && { others }) }
}

function callbackResult(method: string, receiver: AbstractValue, result: AbstractValue): AbstractValue {
  if (method === 'map' || method === 'flatMap')
    return { taints: [], others: method === 'map' ? result : itemsOf(result) }
  if (method === 'then' || method.startsWith('reduce')) return result
  if (method === 'find' || method === 'findLast') return itemsOf(receiver)
  return method === 'filter' || method === 'sort'
    ? { taints: receiver.taints, others: itemsOf(receiver) }
    : join(receiver, result)
}

/** JavaScript's `list.join(',')` and Python's `','.join(list)`. */
function joinItems(receiver: AbstractValue, first: AbstractValue | undefined): AbstractValue {
  const [list, separator] =
    typeof receiver.known === 'string' || first?.fields ? [first, receiver] : [receiver, first]
  const items = list && itemList(list)
  if (!items) {
    const taints = joinTaints(list ? allTaints(list) : [], separator ? separator.taints : [])
    const pieces = list && builtItem(list)?.pieces
    return { taints, type: 'string', ...(pieces && { pieces }) }
  }
  return concat(
    items.flatMap((item, index) => (index === 0 ? [item] : [separator ?? constantValue(','), item])),
  )
}

/** The first item that is markup around a tainted value, such as a table row. */
const builtItem = ({ fields, others }: AbstractValue): AbstractValue | undefined =>
  [...(fields?.values() ?? []), ...(others ? [others] : [])].find(
    ({ pieces, taints }) =>
      taints.length > 0 && pieces?.some((piece) => typeof piece === 'string' && piece.includes('<')),
  )

function argumentTaints({ args }: CallEvent): AbstractValue['taints'] {
  let taints: AbstractValue['taints'] = []
  for (const { value } of args) taints = joinTaints(taints, value.callable ? [] : allTaints(value))
  return taints
}
