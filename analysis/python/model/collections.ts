// Lists, dictionaries and sets, item by item while keys are known.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { taintsOf } from '../../engine/model-helpers.ts'
import { allTaints, itemsOf, join, listOf, withField, withOthers } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

export const collectionCalls: readonly CallModel[] = [
  { name: ['*.append', '*.appendleft', '*.add'], returns: () => UNTAINTED, receiver: appended },
  { name: '*.insert', returns: () => UNTAINTED, receiver: inserted },
  { name: '*.extend', returns: () => UNTAINTED, receiver: extended },
  { name: ['*.pop', '*.popleft', '*.popitem'], returns: popped, receiver: afterPop },
  { name: '*.remove', returns: () => UNTAINTED, receiver: removed },
  {
    name: '*.clear',
    returns: () => UNTAINTED,
    receiver: ({ receiver }) => (receiver && isCollection(receiver) ? listOf([]) : undefined),
  },
  { name: '*.get', returns: got },
  { name: '*.setdefault', returns: got, receiver: defaulted },
  { name: '*.update', returns: () => UNTAINTED, receiver: updated },
  {
    name: ['*.getlist', '*.getall', '*.get_all'],
    returns: (event) => ({ taints: [], others: got(event) ?? UNTAINTED }),
  },
  { name: '*.keys', returns: keys },
  {
    name: ['*.values', '*.itervalues'],
    returns: ({ receiver }) => manyOf(receiver ? itemsOf(receiver) : UNTAINTED),
  },
  { name: ['*.items', '*.iteritems', '*.lists'], returns: entries },
  {
    name: ['*.copy', '*.to_dict', '*.dict', '*.model_dump', '*.__iter__'],
    returns: ({ receiver }) => receiver ?? UNTAINTED,
  },
  { name: ['*.sort', '*.reverse'], returns: () => UNTAINTED, receiver: ({ receiver }) => shuffled(receiver) },
  { name: ['list', 'tuple', 'iter', 'copy.copy', 'copy.deepcopy', 'collections.deque'], returns: copied },
  { name: ['set', 'frozenset', 'sorted', 'reversed', 'filter', 'itertools.chain'], returns: unordered },
  { name: ['dict', 'collections.OrderedDict', 'collections.defaultdict'], returns: dictionary },
  {
    name: ['next', 'max', 'min', 'random.choice', 'secrets.choice'],
    returns: (event) => itemsOf(event.arg(0)?.value ?? UNTAINTED),
  },
  { name: ['enumerate'], returns: numbered },
  { name: 'zip', returns: (event) => manyOf(listOf(event.args.map(({ value }) => itemsOf(value)))) },
  { name: 'map', returns: mapped },
]

const isCollection = (value: AbstractValue): boolean =>
  value.fields !== undefined || value.others !== undefined || value.size !== undefined

const manyOf = (item: AbstractValue): AbstractValue => ({ taints: [], type: 'list', others: item })

/** The items of a list with a known length. */
function orderedItems(value: AbstractValue | null): AbstractValue[] | undefined {
  if (value?.size === undefined || value.others) return undefined
  const items = Array.from({ length: value.size }, (_, index) => value.fields?.get(String(index)))
  return items.every((item) => item !== undefined) ? items : undefined
}

function appended({ receiver, args, method }: CallEvent): AbstractValue | undefined {
  const added = args[0]?.value ?? UNTAINTED
  const items = orderedItems(receiver)
  if (items && method !== 'appendleft') return listOf([...items, added])
  return receiver ? withOthers(receiver, added) : undefined
}

function inserted({ receiver, args }: CallEvent): AbstractValue | undefined {
  const at = args[0]?.value.known
  const added = args[1]?.value ?? UNTAINTED
  const items = orderedItems(receiver)
  if (items && typeof at === 'number' && at >= 0) return listOf(items.toSpliced(at, 0, added))
  return receiver ? withOthers(shuffled(receiver) ?? receiver, added) : undefined
}

function extended({ receiver, args }: CallEvent): AbstractValue | undefined {
  const more = args[0]?.value ?? UNTAINTED
  const [items, added] = [orderedItems(receiver), orderedItems(more)]
  if (items && added) return listOf([...items, ...added])
  return receiver ? withOthers(receiver, itemsOf(more)) : undefined
}

function popped(event: CallEvent): AbstractValue | undefined {
  const { receiver, args } = event
  if (!receiver) return undefined
  if (!isCollection(receiver)) return { taints: receiver.taints }
  const items = orderedItems(receiver)
  const key = args[0]?.value.known
  if (items) {
    const at = event.method === 'popleft' ? 0 : args.length === 0 ? -1 : key
    return typeof at === 'number' ? (items.at(at) ?? UNTAINTED) : itemsOf(receiver)
  }
  return got(event)
}

function afterPop(event: CallEvent): AbstractValue | undefined {
  const { receiver, args, method } = event
  if (!receiver || !isCollection(receiver)) return undefined
  const items = orderedItems(receiver)
  const key = args[0]?.value.known
  if (items) {
    const at = method === 'popleft' ? 0 : args.length === 0 ? -1 : key
    return typeof at === 'number' ? listOf(items.toSpliced(at, 1)) : shuffled(receiver)
  }
  if (typeof key !== 'string') return undefined
  const fields = new Map(receiver.fields)
  fields.delete(key)
  return { ...receiver, fields }
}

/** `remove` deletes an equal item: a known one, or any. */
function removed({ receiver, args }: CallEvent): AbstractValue | undefined {
  const items = orderedItems(receiver)
  const gone = args[0]?.value.known
  if (!items) return undefined
  const at = gone === undefined ? -1 : items.findIndex((item) => item.known === gone)
  return at === -1 ? shuffled(receiver) : listOf(items.toSpliced(at, 1))
}

/** The entry or the default. */
function got({ receiver, args }: CallEvent): AbstractValue | undefined {
  if (!receiver) return undefined
  const key = args[0]?.value.known
  const otherwise = args[1]?.value ?? UNTAINTED
  if (isCollection(receiver)) {
    if (key === undefined || key === null) return join(itemsOf(receiver), otherwise)
    const field = receiver.fields?.get(String(key))
    if (field) return field
    // `request.get_json() or {}` is tainted as a whole.
    const other = receiver.others ?? (receiver.taints.length > 0 ? { taints: receiver.taints } : undefined)
    return other ? join(other, otherwise) : otherwise
  }
  if (receiver.taints.length === 0) return undefined
  return { taints: join({ taints: receiver.taints }, { taints: allTaints(otherwise) }).taints }
}

function defaulted({ receiver, args }: CallEvent): AbstractValue | undefined {
  const key = args[0]?.value.known
  if (!receiver || typeof key !== 'string' || receiver.fields?.has(key)) return undefined
  return withField(receiver, key, args[1]?.value ?? UNTAINTED)
}

function updated({ receiver, args }: CallEvent): AbstractValue | undefined {
  if (!receiver) return undefined
  let after = receiver
  for (const { name, value } of args) {
    if (name !== null && name !== '**') after = withField(after, name, value)
    else if (value.fields) {
      for (const [key, field] of value.fields) after = withField(after, key, field)
      if (value.others) after = withOthers(after, value.others)
    } else if (allTaints(value).length > 0) after = withOthers(after, { taints: allTaints(value) })
  }
  return after
}

/** Keys are untainted if the program wrote them, and tainted if the whole dictionary is. */
function keys({ receiver }: CallEvent): AbstractValue {
  if (receiver && receiver.taints.length > 0) return manyOf({ taints: receiver.taints })
  return { taints: [], type: 'list', others: UNTAINTED }
}

function entries({ receiver }: CallEvent): AbstractValue {
  const key: AbstractValue = receiver && receiver.taints.length > 0 ? { taints: receiver.taints } : UNTAINTED
  return manyOf(listOf([key, receiver ? itemsOf(receiver) : UNTAINTED]))
}

/** The order is unknown, so every item may be at any position. */
function shuffled(value: AbstractValue | null | undefined): AbstractValue | undefined {
  if (!value) return undefined
  return isCollection(value) ? { taints: value.taints, type: 'list', others: itemsOf(value) } : value
}

function copied(event: CallEvent): AbstractValue {
  const value = event.arg(0)?.value
  if (!value) return listOf([])
  if (isCollection(value)) return value
  return typeof value.known === 'string' ? { taints: [], others: UNTAINTED } : value
}

function unordered(event: CallEvent): AbstractValue {
  if (event.args.length === 0) return listOf([])
  const value = event.args.at(-1)?.value ?? UNTAINTED
  return shuffled(value) ?? { taints: taintsOf(event) }
}

function dictionary(event: CallEvent): AbstractValue {
  const empty: AbstractValue = { taints: [], fields: new Map() }
  return (
    updated({ ...event, receiver: empty, args: event.args.filter(({ value }) => !value.callable) }) ?? empty
  )
}

function numbered(event: CallEvent): AbstractValue {
  return manyOf(listOf([UNTAINTED, itemsOf(event.arg(0)?.value ?? UNTAINTED)]))
}

/** `map(int, items)` returns numbers. Other functions are unknown here. */
function mapped(event: CallEvent): AbstractValue | undefined {
  const [work, items] = [event.arg(0)?.value, event.arg(1)?.value]
  if (work?.name !== undefined && /^(?:int|float|bool|len|ord|uuid\.UUID)$/.test(work.name))
    return manyOf(UNTAINTED)
  return items ? manyOf({ taints: allTaints(items) }) : undefined
}
