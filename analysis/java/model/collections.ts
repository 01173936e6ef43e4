// Lists, sets, queues and maps, item by item while positions and keys are known.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { returnsArgument } from '../../engine/model-helpers.ts'
import {
  allTaints,
  constantValue,
  itemsOf,
  listOf,
  withField,
  withOthers,
} from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { mapCalls } from './maps.ts'

const util = (names: string): string[] => names.split(' ').map((name) => `java.util.${name}`)

const LISTS = util('ArrayList LinkedList Vector Stack ArrayDeque PriorityQueue')
const SETS = util('HashSet LinkedHashSet TreeSet')
const KINDS = [...LISTS, ...SETS, ...util('List Collection Set Deque Queue SortedSet')]

const of = (...methods: readonly string[]): string[] =>
  KINDS.flatMap((kind) => methods.map((method) => `${kind}#${method}`))

export const collectionCalls: readonly CallModel[] = [
  { name: [...LISTS, ...SETS], returns: made },
  {
    name: of('add', 'addLast', 'addElement', 'offer', 'offerLast', 'push', 'addFirst', 'offerFirst'),
    returns: () => ({ taints: [], type: 'boolean' }),
    receiver: added,
  },
  { name: of('addAll'), returns: () => ({ taints: [], type: 'boolean' }), receiver: addedAll },
  { name: of('set', 'setElementAt'), returns: () => UNTAINTED, receiver: written },
  { name: of('get', 'elementAt'), returns: gotten },
  {
    name: of('remove', 'removeFirst', 'removeLast', 'pop', 'poll', 'pollFirst'),
    returns: taken,
    receiver: withoutOne,
  },
  { name: of('getFirst', 'firstElement', 'element'), returns: first },
  { name: of('getLast', 'lastElement'), returns: last },
  { name: of('peek', 'peekFirst', 'peekLast'), returns: anyItem },
  { name: of('clear'), returns: () => UNTAINTED, receiver: ({ receiver }) => emptied(receiver) },
  { name: of('size'), returns: ({ receiver }) => counted(receiver) },
  { name: of('toArray', 'subList', 'reversed'), returns: returnsArgument('receiver') },
  { name: ['*.iterator', '*.listIterator', '*.elements', '*.spliterator'], returns: walk },
  { name: ['*.next', '*.nextElement', '*.previous'], returns: anyItem },
  { name: ['*.hasNext', '*.hasMoreElements'], returns: () => ({ taints: [], type: 'boolean' }) },
  {
    name: [
      ...util('Arrays.asList List.of Set.of'),
      'java.util.stream.Stream.of',
      'com.google.common.collect.Lists.newArrayList',
    ],
    returns: listed,
  },
  {
    name: [
      ...util('Collections.unmodifiableList Collections.unmodifiableSet Collections.synchronizedList'),
      ...util(
        'List.copyOf Set.copyOf Collections.list Collections.enumeration Arrays.stream Collections.unmodifiableCollection',
      ),
    ],
    returns: returnsArgument(0),
  },
  { name: util('Collections.singletonList Collections.singleton'), returns: listed },
  {
    name: util('Collections.emptyList Collections.emptySet Collections.emptyMap'),
    returns: () => listOf([]),
  },
  ...mapCalls,
]

function made(event: CallEvent): AbstractValue {
  const from = event.arg(0)?.value
  const type = event.name
  const isFilled = from && (from.fields || from.others || from.taints.length > 0)
  return isFilled ? { ...from, type } : { taints: [], type, fields: new Map(), size: 0 }
}

const AT_FRONT = /^(push|addFirst|offerFirst)$/

function added(event: CallEvent): AbstractValue | undefined {
  const { receiver, args, method } = event
  if (!receiver) return undefined
  const values = args.map(({ value }) => value)
  const [at, item] = values.length === 2 ? values : [undefined, values[0]]
  if (!item) return undefined
  // `Stack` grows at its end, a deque used as a stack at its front.
  const isAtFront = AT_FRONT.test(method) && !/Stack$/.test(receiver.type ?? '')
  const position = at ? at.known : isAtFront ? 0 : receiver.size
  return typeof position === 'number' ? inserted(receiver, position, item) : withOthers(receiver, item)
}

function inserted(receiver: AbstractValue, position: number, item: AbstractValue): AbstractValue {
  const { size } = receiver
  if (size === undefined || position > size || isSet(receiver)) return withOthers(receiver, item)
  const items = itemsIn(receiver, size)
  items.splice(position, 0, item)
  return relisted(receiver, items)
}

/** Sets are unordered. */
const isSet = ({ type }: AbstractValue): boolean => /Set$/.test(type ?? '')

function addedAll({ receiver, arg }: CallEvent): AbstractValue | undefined {
  const from = arg(0)?.value
  if (!receiver || !from) return undefined
  const isKnown = receiver.size !== undefined && from.size !== undefined && !isSet(receiver)
  if (!isKnown) return withOthers(receiver, itemsOf(from))
  return relisted(receiver, [...itemsIn(receiver, receiver.size), ...itemsIn(from, from.size)])
}

function written({ receiver, args }: CallEvent): AbstractValue | undefined {
  const [at, item] = args.map(({ value }) => value)
  if (!receiver || !at || !item) return undefined
  return typeof at.known === 'number'
    ? withField(receiver, String(at.known), item)
    : withOthers(receiver, item)
}

function gotten({ receiver, arg }: CallEvent): AbstractValue {
  const at = arg(0)?.value.known
  if (!receiver) return UNTAINTED
  return typeof at === 'number' && receiver.size !== undefined
    ? (receiver.fields?.get(String(at)) ?? UNTAINTED)
    : itemsOf(receiver)
}

/** The position of the removed item. `Stack` removes the last one. */
function positionOf({ receiver, arg, args, method }: CallEvent): number | undefined {
  const size = receiver?.size
  if (method === 'remove' && args.length === 1) {
    const at = arg(0)?.value.known
    return typeof at === 'number' ? at : undefined
  }
  if (size === undefined || size === 0) return undefined
  const isLast = method === 'removeLast' || (method === 'pop' && /Stack$/.test(receiver?.type ?? ''))
  return isLast ? size - 1 : 0
}

function taken(event: CallEvent): AbstractValue {
  const { receiver } = event
  const at = positionOf(event)
  if (!receiver) return UNTAINTED
  return at !== undefined && receiver.size !== undefined
    ? (receiver.fields?.get(String(at)) ?? UNTAINTED)
    : itemsOf(receiver)
}

function withoutOne(event: CallEvent): AbstractValue | undefined {
  const { receiver } = event
  const at = positionOf(event)
  if (!receiver || receiver.size === undefined) return undefined
  if (at === undefined) return { ...receiver, others: itemsOf(receiver), fields: new Map() }
  const items = itemsIn(receiver, receiver.size)
  items.splice(at, 1)
  return relisted(receiver, items)
}

function first({ receiver }: CallEvent): AbstractValue {
  return (
    (receiver?.size === undefined ? undefined : receiver.fields?.get('0')) ?? itemsOf(receiver ?? UNTAINTED)
  )
}

function last({ receiver }: CallEvent): AbstractValue {
  return (
    (receiver?.size === undefined ? undefined : receiver.fields?.get(String(receiver.size - 1))) ??
    itemsOf(receiver ?? UNTAINTED)
  )
}

function anyItem({ receiver }: CallEvent): AbstractValue {
  return itemsOf(receiver ?? UNTAINTED)
}

function walk({ receiver }: CallEvent): AbstractValue {
  const taints = receiver ? allTaints(receiver) : []
  return { taints, type: 'java.util.Iterator', others: itemsOf(receiver ?? UNTAINTED) }
}

function counted(receiver: AbstractValue | null): AbstractValue {
  return receiver?.size === undefined ? { taints: [], type: 'int' } : constantValue(receiver.size)
}

/** A single array argument is the list itself. */
function listed(event: CallEvent): AbstractValue {
  const [only, ...rest] = event.args
  if (only && rest.length === 0 && (only.value.fields || only.value.others)) return only.value
  return { ...listOf(event.args.map(({ value }) => value)), type: 'java.util.List' }
}

function emptied(receiver: AbstractValue | null): AbstractValue | undefined {
  return receiver
    ? { taints: [], ...(receiver.type && { type: receiver.type }), fields: new Map(), size: 0 }
    : undefined
}

const itemsIn = ({ fields, others }: AbstractValue, size: number): AbstractValue[] =>
  Array.from(
    { length: Math.min(size, ITEMS_MAX) },
    (_, index) => fields?.get(String(index)) ?? others ?? UNTAINTED,
  )

const ITEMS_MAX = 200

function relisted(receiver: AbstractValue, items: readonly AbstractValue[]): AbstractValue {
  const { fields, size } = listOf(items)
  return { ...receiver, ...(fields && { fields }), ...(size !== undefined && { size }) }
}
