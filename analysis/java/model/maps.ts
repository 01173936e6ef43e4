// Maps by key, and properties.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { returnsArgument } from '../../engine/model-helpers.ts'
import { constantValue, itemsOf, join, withField, withOthers } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

const util = (names: string): string[] => names.split(' ').map((name) => `java.util.${name}`)

const MADE = [
  ...util('HashMap LinkedHashMap TreeMap Hashtable IdentityHashMap'),
  'java.util.concurrent.ConcurrentHashMap',
  'java.util.Properties',
]
const KINDS = [...MADE, ...util('Map SortedMap NavigableMap')]

const of = (...methods: readonly string[]): string[] =>
  KINDS.flatMap((kind) => methods.map((method) => `${kind}#${method}`))

export const mapCalls: readonly CallModel[] = [
  { name: MADE, returns: made },
  { name: of('put', 'putIfAbsent', 'setProperty', 'replace'), returns: () => UNTAINTED, receiver: written },
  { name: of('putAll'), returns: () => UNTAINTED, receiver: writtenAll },
  { name: of('get'), returns: (event) => read(event) ?? UNTAINTED },
  { name: of('getOrDefault'), returns: readOrDefault },
  { name: of('getProperty'), returns: property },
  { name: of('remove'), returns: (event) => read(event) ?? UNTAINTED, receiver: without },
  { name: of('clear'), returns: () => UNTAINTED, receiver: ({ receiver }) => made({ name: receiver?.type }) },
  { name: of('containsKey', 'containsValue'), returns: () => ({ taints: [], type: 'boolean' }) },
  { name: of('size'), returns: () => ({ taints: [], type: 'int' }) },
  { name: of('values'), returns: ({ receiver }) => many(itemsOf(receiver ?? UNTAINTED)) },
  { name: of('keySet', 'keys', 'stringPropertyNames', 'propertyNames'), returns: keys },
  { name: of('entrySet'), returns: entries },
  { name: ['*.getKey'], returns: ({ receiver }) => receiver?.fields?.get('key') ?? part(receiver) },
  { name: ['*.getValue'], returns: ({ receiver }) => receiver?.fields?.get('value') ?? part(receiver) },
  { name: util('Map.of'), returns: listed },
  {
    name: util('Map.copyOf Collections.unmodifiableMap Collections.synchronizedMap'),
    returns: returnsArgument(0),
  },
  { name: 'java.lang.System.getProperty', returns: (event) => event.arg(1)?.value ?? UNTAINTED },
]

/** The taint of the keys is stored as a separate entry. */
const KEYS = '\u0000keys'

function made({ name, arg }: { name?: string | undefined; arg?: CallEvent['arg'] }): AbstractValue {
  const from = arg?.(0)?.value
  const type = name ?? 'java.util.Map'
  return from && (from.fields || from.others) ? { ...from, type } : { taints: [], type, fields: new Map() }
}

const keyOf = (event: CallEvent): string | undefined => {
  const key = event.arg(0)?.value.known
  return key === undefined ? undefined : String(key)
}

function written(event: CallEvent): AbstractValue | undefined {
  const { receiver, arg } = event
  const [key, item] = [keyOf(event), arg(1)?.value]
  if (!receiver || !item) return undefined
  if (key !== undefined) return withField(receiver, key, item)
  const held = withOthers(receiver, item)
  const named = arg(0)?.value ?? UNTAINTED
  return named.taints.length === 0
    ? held
    : withField(held, KEYS, { taints: named.taints, type: 'java.lang.String' })
}

function writtenAll({ receiver, arg }: CallEvent): AbstractValue | undefined {
  const from = arg(0)?.value
  if (!receiver || !from) return undefined
  let all = from.others || !from.fields ? withOthers(receiver, itemsOf(from)) : receiver
  for (const [key, value] of from.fields ?? []) all = withField(all, key, value)
  return all
}

function read(event: CallEvent): AbstractValue | undefined {
  const { receiver } = event
  const key = keyOf(event)
  if (!receiver) return undefined
  if (key === undefined) return contents(receiver)
  return receiver.fields?.get(key) ?? receiver.others ?? part(receiver)
}

/** The join of all values, without the keys. */
function contents(receiver: AbstractValue): AbstractValue {
  if (!receiver.fields?.has(KEYS)) return itemsOf(receiver)
  const fields = new Map(receiver.fields)
  fields.delete(KEYS)
  return itemsOf({ ...receiver, fields })
}

function readOrDefault(event: CallEvent): AbstractValue {
  const [found, otherwise] = [read(event), event.arg(1)?.value ?? UNTAINTED]
  const isThere = event.receiver?.fields?.has(keyOf(event) ?? '')
  return isThere && found ? found : join(found ?? UNTAINTED, otherwise)
}

/** The content of a properties file is unknown, so the default value is used. */
function property(event: CallEvent): AbstractValue {
  const key = keyOf(event)
  const set = key === undefined ? undefined : event.receiver?.fields?.get(key)
  return set ?? event.arg(1)?.value ?? UNTAINTED
}

function without(event: CallEvent): AbstractValue | undefined {
  const { receiver } = event
  const key = keyOf(event)
  if (!receiver?.fields || key === undefined) return undefined
  const fields = new Map(receiver.fields)
  fields.delete(key)
  return { ...receiver, fields }
}

function keys({ receiver }: CallEvent): AbstractValue {
  const named = receiver?.fields?.get(KEYS)
  const isOutside = receiver && !receiver.fields && receiver.taints.length > 0
  return many(named ?? (isOutside ? { taints: receiver.taints, type: 'java.lang.String' } : UNTAINTED))
}

function entries(event: CallEvent): AbstractValue {
  const key = itemsOf(keys(event))
  const value = contents(event.receiver ?? UNTAINTED)
  return many({
    taints: [],
    type: 'java.util.Map.Entry',
    fields: new Map([
      ['key', key],
      ['value', value],
    ]),
  })
}

const many = (item: AbstractValue): AbstractValue => ({ taints: [], type: 'java.util.Set', others: item })

const part = (receiver: AbstractValue | null): AbstractValue => ({ taints: receiver?.taints ?? [] })

function listed({ args }: CallEvent): AbstractValue {
  let all: AbstractValue = { taints: [], type: 'java.util.Map', fields: new Map() }
  for (let index = 0; index + 1 < args.length; index += 2) {
    const [key, value] = [args[index]?.value.known, args[index + 1]?.value ?? constantValue(null)]
    all = key === undefined ? withOthers(all, value) : withField(all, String(key), value)
  }
  return all
}
