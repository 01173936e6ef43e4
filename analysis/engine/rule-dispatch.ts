// Selects the rules for a call or an assignment. Most rules look at the name first and ignore most names. A
// rule that has looked only at the name and the type of the receiver, and reports nothing, will report
// nothing for them again, so it is not called for them any more. The first event of each name finds that
// out: its rules receive a copy that records what they look at.

import type { AbstractValue } from '../abstract-value.ts'
import type { Rule, Visitor } from '../rule.ts'

type NamedKind = 'call' | 'assign'
type EventOf<K extends NamedKind> = Parameters<NonNullable<Visitor[K]>>[0]
type Handler<K extends NamedKind> = { readonly rule: Rule; readonly handle: NonNullable<Visitor[K]> }
type Handlers<K extends NamedKind> = readonly Handler<K>[]
type RunRule<K extends NamedKind> = (handler: Handler<K>, event: EventOf<K>) => void

export type NamedDispatch<K extends NamedKind> = {
  readonly kind: K
  readonly all: Handlers<K>
  /** By the method of a call or the name of a target. */
  readonly entries: Map<string, Entry<K>>
  /** The qualified names in all entries. */
  names: number
}

type Entry<K extends NamedKind> = {
  readonly handlers: Handlers<K>
  /** By the qualified name of a call, for a few kinds of receivers. */
  readonly byName: Map<string, NameEntry<K>[]>
  names: number
}

/** Valid for calls with the same kind of receiver. */
type NameEntry<K extends NamedKind> = ReceiverKind & { readonly handlers: Handlers<K> }
type ReceiverKind = {
  readonly isNew: boolean
  readonly hasReceiver: boolean
  readonly type: string | undefined
  readonly name: string | undefined
}

const ENTRIES_MAX = 20_000
const NAMES_MAX = 400
const RECEIVERS_MAX = 12
const ALL_NAMES_MAX = 40_000

export const createDispatch = <K extends NamedKind>(kind: K, all: Handlers<K>): NamedDispatch<K> => ({
  kind,
  all,
  entries: new Map(),
  names: 0,
})

/** Runs the rules that can report something for this event. */
export function dispatch<K extends NamedKind>(
  known: NamedDispatch<K>,
  event: EventOf<K>,
  run: RunRule<K>,
): void {
  const { kind, all, entries } = known
  const short = 'method' in event ? event.method : event.name
  const entry = entries.get(short)
  if (!entry) {
    if (entries.size >= ENTRIES_MAX || known.names >= ALL_NAMES_MAX) {
      entries.clear()
      known.names = 0
    }
    known.names += 1
    const probed = probe(all, event, run)
    const handlers = stillNeeded(probed, SHORT_NAME[kind])
    entries.set(short, { handlers, byName: new Map([[event.name, [nameEntry(event, probed)]]]), names: 1 })
    return
  }
  if (entry.handlers.length === 0) return
  const named = entry.byName.get(event.name)
  const fitting = named && findFitting(named, event)
  if (fitting) for (const handler of fitting.handlers) run(handler, event)
  else if (entry.names >= NAMES_MAX || (named && named.length >= RECEIVERS_MAX))
    for (const handler of entry.handlers) run(handler, event)
  else {
    known.names += 1
    entry.names += 1
    const added = nameEntry(event, probe(entry.handlers, event, run))
    if (named) named.push(added)
    else entry.byName.set(event.name, [added])
  }
}

function findFitting<K extends NamedKind>(
  named: readonly NameEntry<K>[],
  event: EventOf<K>,
): NameEntry<K> | undefined {
  for (const each of named) if (isFor(each, event)) return each
  return undefined
}

const receiverOf = (event: EventOf<NamedKind>): AbstractValue | null =>
  'receiver' in event ? event.receiver : null
const isNewIn = (event: EventOf<NamedKind>): boolean => 'isNew' in event && event.isNew

function isFor({ isNew, hasReceiver, type, name }: ReceiverKind, event: EventOf<NamedKind>): boolean {
  const receiver = receiverOf(event)
  return (
    isNew === isNewIn(event) &&
    hasReceiver === (receiver !== null) &&
    type === receiver?.type &&
    name === receiver?.name
  )
}

function nameEntry<K extends NamedKind>(event: EventOf<K>, probed: readonly Probed<K>[]): NameEntry<K> {
  const receiver = receiverOf(event)
  return {
    isNew: isNewIn(event),
    hasReceiver: receiver !== null,
    type: receiver?.type,
    name: receiver?.name,
    handlers: stillNeeded(probed, NAMES),
  }
}

/** The validity of an entry. The rules of a dispatch have one language. */
const SHORT_NAME: Readonly<Record<NamedKind, ReadonlySet<string>>> = {
  call: new Set(['method', 'language']),
  assign: new Set(['name', 'language']),
}
const NAMES: ReadonlySet<string> = new Set([
  'method',
  'name',
  'language',
  'isNew',
  'receiver',
  'receiver.type',
  'receiver.name',
])

type Probed<K extends NamedKind> = { readonly handler: Handler<K>; readonly looked: ReadonlySet<string> }

const stillNeeded = <K extends NamedKind>(
  probed: readonly Probed<K>[],
  known: ReadonlySet<string>,
): Handler<K>[] => probed.filter(({ looked }) => !looked.isSubsetOf(known)).map(({ handler }) => handler)

const probe = <K extends NamedKind>(handlers: Handlers<K>, event: EventOf<K>, run: RunRule<K>): Probed<K>[] =>
  handlers.map((handler) => ({ handler, looked: probeOne(handler, event, run) }))

/** A rule that reports something, or collects facts for the end of the file, needs every event. */
function probeOne<K extends NamedKind>(
  handler: Handler<K>,
  event: EventOf<K>,
  run: RunRule<K>,
): ReadonlySet<string> {
  const looked = new Set<string>()
  if (handler.rule.on.program || handler.rule.on.project || reportsFor(handler, recording(event, looked))) {
    looked.add('everything')
    run(handler, event)
  }
  return looked
}

/** A rule that fails is called again with the event itself, which reports the failure. */
function reportsFor<K extends NamedKind>({ rule, handle }: Handler<K>, event: EventOf<K>): boolean {
  const visit = handle as (event: EventOf<K>) => unknown
  try {
    return visit.call(rule.on, event) !== undefined
  } catch {
    return true
  }
}

/** Records each part that is looked into. Taking a list, an object or a function is not yet looking into it. */
function recording<T extends object>(event: T, looked: Set<string>): T {
  return new Proxy(event, {
    get(target, key) {
      const name = String(key)
      const value: unknown = Reflect.get(target, key)
      if (typeof value === 'function')
        return (...given: unknown[]) => {
          looked.add(name)
          return value(...given)
        }
      if (typeof value !== 'object' || value === null) {
        looked.add(name)
        return value
      }
      // A rule can decide by whether there is an object.
      if (name === 'receiver' || name === 'object') looked.add(name)
      return recordingPart(value, name, looked)
    },
  })
}

function recordingPart(part: object, name: string, looked: Set<string>): object {
  return new Proxy(part, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (name === 'expr' && key === 'at' && typeof value === 'object' && value !== null)
        return recordingPart(value, 'at', looked)
      looked.add(name === 'receiver' && (key === 'type' || key === 'name') ? `receiver.${key}` : `${name}.`)
      return typeof value === 'function' ? value.bind(target) : value
    },
    ownKeys(target) {
      looked.add(`${name}.`)
      return Reflect.ownKeys(target)
    },
    has(target, key) {
      looked.add(`${name}.`)
      return Reflect.has(target, key)
    },
  })
}
