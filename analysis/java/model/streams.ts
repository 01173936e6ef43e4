// Streams and optional values propagate their elements.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { allTaints, concat, constantValue, itemsOf, joinAll } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

const STREAM = 'java.util.stream.Stream'
const OPTIONAL = 'java.util.Optional'

export const streamCalls: readonly CallModel[] = [
  { name: ['*.stream', '*.parallelStream', 'java.util.Arrays.stream', `${STREAM}.of`], returns: opened },
  {
    name: [
      '*.distinct',
      '*.sorted',
      '*.limit',
      '*.skip',
      '*.sequential',
      '*.parallel',
      '*.boxed',
      '*.toList',
      '*.peek',
    ],
    returns: (event) => (isFlow(event.receiver) ? (event.receiver ?? UNTAINTED) : undefined),
  },
  {
    name: ['*.filter'],
    returns: (event) => (isFlow(event.receiver) ? (event.receiver ?? UNTAINTED) : undefined),
  },
  { name: ['*.map'], returns: mapped },
  {
    name: ['*.mapToInt', '*.mapToLong', '*.mapToDouble'],
    returns: () => ({ taints: [], type: STREAM, others: { taints: [], type: 'number' } }),
  },
  { name: ['*.findFirst', '*.findAny', '*.max', '*.min'], returns: found },
  { name: ['*.collect'], returns: collected },
  { name: ['java.util.stream.Collectors.joining'], returns: joining },
  {
    name: [`${OPTIONAL}.of`, `${OPTIONAL}.ofNullable`],
    returns: (event) => optional(event.arg(0)?.value ?? UNTAINTED),
  },
  { name: [`${OPTIONAL}#get`, '*.orElseThrow'], returns: content },
  { name: ['*.orElse', '*.orElseGet'], returns: content },
  {
    name: ['*.isPresent', '*.anyMatch', '*.allMatch', '*.noneMatch'],
    returns: () => ({ taints: [], type: 'boolean' }),
  },
]

/** A collection, stream or optional, but no class of the project. */
const isFlow = (value: AbstractValue | null): boolean =>
  value !== null &&
  value.classDefinition === undefined &&
  (value.others !== undefined || value.fields !== undefined)

function opened({ receiver, args }: CallEvent): AbstractValue | undefined {
  const [first] = args
  if (args.length > 1) return { taints: [], type: STREAM, others: joinAll(args.map(({ value }) => value)) }
  const from = args.length > 0 ? first?.value : receiver
  const items = from && isFlow(from) ? itemsOf(from) : { taints: from?.taints ?? [] }
  return { taints: [], type: STREAM, others: items }
}

/** Only method references. Lambdas were interpreted, and their result is known. */
function mapped({ receiver, arg }: CallEvent): AbstractValue | undefined {
  const by = arg(0)?.value
  if (!isFlow(receiver) || !receiver || by?.callable) return undefined
  const isNumber = /^java\.lang\.(Integer|Long|Double|Short|Boolean)\.|\.(length|size|hashCode)$/.test(
    by?.name ?? '',
  )
  const { type = STREAM } = receiver
  return {
    taints: [],
    type,
    others: isNumber ? { taints: [], type: 'number' } : { taints: itemsOf(receiver).taints },
  }
}

function found({ receiver }: CallEvent): AbstractValue | undefined {
  return receiver && isFlow(receiver) ? optional(itemsOf(receiver)) : undefined
}

const optional = (value: AbstractValue): AbstractValue => ({ taints: [], type: OPTIONAL, others: value })

function content({ receiver, arg }: CallEvent): AbstractValue | undefined {
  if (!receiver) return undefined
  const held = receiver.others ?? { taints: receiver.taints }
  const otherwise = arg(0)?.value
  // A constant default adds no taint.
  return otherwise && allTaints(otherwise).length > 0
    ? { taints: [...held.taints, ...otherwise.taints] }
    : { ...held }
}

const JOINED = 'joined by '

function joining({ arg }: CallEvent): AbstractValue {
  const separator = arg(0)?.value.known
  return constantValue(`${JOINED}${typeof separator === 'string' ? separator : ''}`)
}

/** A string if the items are joined, otherwise a collection. */
function collected({ receiver, arg }: CallEvent): AbstractValue | undefined {
  if (!receiver || !isFlow(receiver)) return undefined
  const items = itemsOf(receiver)
  const how = arg(0)?.value.known
  if (typeof how === 'string' && how.startsWith(JOINED))
    return concat([items, constantValue(how.slice(JOINED.length)), items])
  return { taints: [], type: 'java.util.List', others: items }
}
