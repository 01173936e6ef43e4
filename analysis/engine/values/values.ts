// Operations on abstract values: join, sanitize, concatenate.

import {
  type AbstractValue,
  type Origin,
  type SinkKind,
  type Step,
  type Taint,
  UNTAINTED,
} from '../../abstract-value.ts'
import type { Primitive } from '../../ir.ts'
import type { SourceRange } from '../../syntax/tree.ts'
import { TAINTS_DEPTH, work } from './value-work.ts'

const TAINTS_MAX = 6
const JOIN_DEPTH_MAX = 6
/** A join of an object with an unknown value keeps the fields of this many levels. */
const UNKNOWN_DEPTH_MAX = 1
const STEPS_MAX = 12
const PIECES_MAX = 60
const UNKNOWN_CALLS_MAX = 2
const FIELDS_MAX = 200
const KNOWN_LENGTH_MAX = 10_000
const ORIGIN_ORDER: Readonly<Record<Origin, number>> = { request: 0, parameter: 1, environment: 2, stored: 3 }

/** A join of values that share many parts ends after this many elements. Below them only the taints are kept. */
const JOIN_ELEMENTS_MAX = 300

export const constantValue = (value: Primitive): AbstractValue =>
  typeof value === 'string' && value.length > KNOWN_LENGTH_MAX ? UNTAINTED : { known: value, taints: [] }

export const isConstant = (value: AbstractValue): boolean => value.known !== undefined

/** A tainted value. */
export function tainted(origin: Origin, label: string, at: SourceRange, path: string): AbstractValue {
  return {
    taints: [{ origin, label, sanitizedFor: NO_SINKS, unknownCalls: 0, steps: [{ path, at, what: label }] }],
  }
}

const NO_SINKS: ReadonlySet<SinkKind> = new Set()

/** The value, sanitized for more sinks. */
export function sanitize(value: AbstractValue, sinks: readonly SinkKind[]): AbstractValue {
  if (sinks.length === 0) return value
  const taints = sanitizeTaints(value.taints, sinks)
  const pieces = value.pieces?.map((piece) => (typeof piece === 'string' ? piece : sanitize(piece, sinks)))
  return { ...value, taints, ...(pieces && { pieces }) }
}

const sanitizeTaints = (taints: readonly Taint[], sinks: readonly SinkKind[]): readonly Taint[] =>
  taints.map((taint) => ({ ...taint, sanitizedFor: taint.sanitizedFor.union(new Set(sinks)) }))

/** The value, sanitized for all sinks. Name and type are kept. */
export function sanitizeForAll(value: AbstractValue): AbstractValue {
  if (value.taints.length === 0) return value
  const { name, type } = value
  return { taints: [], ...(name !== undefined && { name }), ...(type !== undefined && { type }) }
}

/** Counts an unknown call. Taints with too many of them are dropped. */
export const afterUnknownCall = (taints: readonly Taint[]): readonly Taint[] =>
  taints.length === 0
    ? taints
    : taints
        .filter(({ unknownCalls }) => unknownCalls < UNKNOWN_CALLS_MAX)
        .map((taint) => ({ ...taint, unknownCalls: taint.unknownCalls + 1 }))

/** Adds a step to the flow of each taint. */
export function withStep(value: AbstractValue, step: Step): AbstractValue {
  if (value.taints.length === 0) return value
  return { ...value, taints: value.taints.map((taint) => addStep(taint, step)) }
}

function addStep(taint: Taint, step: Step): Taint {
  const { steps } = taint
  const last = steps.at(-1)
  if (steps.length >= STEPS_MAX || (last && last.at.line === step.at.line && last.what === step.what))
    return taint
  return { ...taint, steps: [...steps, step] }
}

/** Returns the first list itself if the second adds nothing to it, which is the usual case. */
export function joinTaints(one: readonly Taint[], other: readonly Taint[]): readonly Taint[] {
  if (other.length === 0 || one === other) return one
  if (one.length === 0) return other
  let all: Taint[] | null = null
  for (let index = 0; index < other.length; index++) {
    const taint = other[index]
    if (!taint) continue
    const into = all ?? one
    // Lists with a common origin usually have the same order.
    const at = isSameSource(into[index], taint) ? index : positionOf(into, taint)
    const same = into[at]
    if (same === taint) continue
    const worse = same ? worseOf(same, taint) : taint
    if (worse === same) continue
    all ??= [...one]
    if (same) all[at] = worse
    else all.push(taint)
  }
  if (all === null && isInOrder(one)) return one
  const joined = all ?? [...one]
  return joined.length === 1 ? joined : joined.sort(byWorst).slice(0, TAINTS_MAX)
}

const isSameSource = (one: Taint | undefined, other: Taint): boolean =>
  one === other || (one?.origin === other.origin && one.label === other.label)

function positionOf(taints: readonly Taint[], taint: Taint): number {
  for (let index = 0; index < taints.length; index++) if (isSameSource(taints[index], taint)) return index
  return -1
}

function isInOrder(taints: readonly Taint[]): boolean {
  if (taints.length > TAINTS_MAX) return false
  let before: Taint | undefined
  for (const taint of taints) {
    if (before && byWorst(before, taint) > 0) return false
    before = taint
  }
  return true
}

function worseOf(one: Taint, other: Taint): Taint {
  const [first, second] = one.unknownCalls <= other.unknownCalls ? [one, other] : [other, one]
  if (first.sanitizedFor.size === 0 || first.sanitizedFor.isSubsetOf(second.sanitizedFor)) return first
  return { ...first, sanitizedFor: first.sanitizedFor.intersection(second.sanitizedFor) }
}

const byWorst = (one: Taint, other: Taint): number =>
  ORIGIN_ORDER[one.origin] - ORIGIN_ORDER[other.origin] ||
  Number(one.sanitizedFor.has('all')) - Number(other.sanitizedFor.has('all')) ||
  one.sanitizedFor.size - other.sanitizedFor.size ||
  one.unknownCalls - other.unknownCalls

/** Reads a member. The model decides which members are taint sources. */
export type ReadMember = (value: AbstractValue, key: string) => AbstractValue

const readField: ReadMember = (value, key) =>
  value.fields?.get(key) ?? value.others ?? (value.taints.length > 0 ? { taints: value.taints } : UNTAINTED)

/** The least upper bound of two values. */
export function join(
  one: AbstractValue,
  other: AbstractValue,
  read: ReadMember = readField,
  depthLeft = JOIN_DEPTH_MAX,
): AbstractValue {
  if (one === other) return one
  if (depthLeft === JOIN_DEPTH_MAX) work.joinMax = work.elements + JOIN_ELEMENTS_MAX
  // Recursive values would never end, so below this depth only the taints are kept.
  if (depthLeft === 0 || work.elements > work.joinMax)
    return { taints: joinTaints(allTaints(one), allTaints(other)) }
  // Null may mean not assigned yet, so the other value wins.
  if (one.known === null) return other.known === undefined ? other : withoutConstant(other)
  if (other.known === null) return one.known === undefined ? one : withoutConstant(one)
  if (one === UNTAINTED && isPlain(other)) return other.known === undefined ? other : UNTAINTED
  const joined: MutableValue = { taints: joinTaints(one.taints, other.taints) }
  if (one.known !== undefined && one.known === other.known) joined.known = one.known
  joinNames(joined, one, other)
  const pieces = joinPieces(one, other)
  if (pieces) joined.pieces = pieces
  joinParts(joined, one, other, read, depthLeft - 1)
  const callable = one.callable ?? other.callable
  if (callable) joined.callable = callable
  const of = one.classDefinition === other.classDefinition ? one.classDefinition : undefined
  if (of) joined.classDefinition = of
  // Keeps the object when nothing changed, so that later joins with it are immediate.
  return joined.fields !== undefined && isSameValue(joined, one) ? one : joined
}

/** Whether all parts are the same. Values with equal but separate parts can count as different. */
export const isSameValue = (joined: AbstractValue, one: AbstractValue): boolean =>
  joined.fields === one.fields &&
  (joined.taints === one.taints || joined.taints.length + one.taints.length === 0) &&
  joined.others === one.others &&
  joined.known === one.known &&
  joined.name === one.name &&
  joined.type === one.type &&
  joined.pieces === one.pieces &&
  joined.size === one.size &&
  joined.callable === one.callable &&
  joined.classDefinition === one.classDefinition

export const joinAll = (values: readonly AbstractValue[], read: ReadMember = readField): AbstractValue =>
  values.length === 0 ? UNTAINTED : values.reduce((one, other) => join(one, other, read))

export type MutableValue = { -readonly [K in keyof AbstractValue]: AbstractValue[K] }

const isPlain = (value: AbstractValue): boolean =>
  value.name === undefined && value.fields === undefined && value.pieces === undefined && !value.callable

function joinNames(joined: MutableValue, one: AbstractValue, other: AbstractValue): void {
  if (one.name !== undefined && one.name === other.name) joined.name = one.name
  if (one.type !== undefined && one.type === other.type) joined.type = one.type
}

/** The known parts of the worse string. */
function joinPieces(one: AbstractValue, other: AbstractValue): AbstractValue['pieces'] {
  if (!one.pieces || !other.pieces) return one.pieces ?? other.pieces
  if (one.taints.length !== other.taints.length)
    return (one.taints.length > other.taints.length ? one : other).pieces
  return one.pieces.length >= other.pieces.length ? one.pieces : other.pieces
}

function joinParts(
  joined: MutableValue,
  one: AbstractValue,
  other: AbstractValue,
  read: ReadMember,
  depthLeft: number,
): void {
  if (one.fields && one.fields === other.fields) joined.fields = one.fields
  else if (one.fields && other.fields) joined.fields = joinFields(one, other, read, depthLeft)
  else if (one.fields || other.fields)
    joined.fields = joinFields(one, other, read, Math.min(depthLeft, UNKNOWN_DEPTH_MAX))
  if (one.others || other.others)
    joined.others = join(one.others ?? UNTAINTED, other.others ?? UNTAINTED, read, depthLeft)
  if (one.size !== undefined && one.size === other.size) joined.size = one.size
}

/** The fields of the first value if the second adds nothing to them, which is the usual case. */
function joinFields(
  one: AbstractValue,
  other: AbstractValue,
  read: ReadMember,
  depthLeft: number,
): ReadonlyMap<string, AbstractValue> {
  const { fields: own } = one
  const { fields: given } = other
  let fields = own ? null : new Map<string, AbstractValue>()
  let common = 0
  if (own)
    for (const [key, field] of own) {
      const same = given?.get(key)
      if (same) common += 1
      const against = same ?? read(other, key)
      const joined = field === against ? field : join(field, against, read, depthLeft)
      // Usually all later fields change as well, so each is set once instead of being copied first.
      if (joined !== field) fields ??= fieldsBefore(own, key)
      fields?.set(key, joined)
    }
  if (given && common < given.size)
    for (const [key, field] of given) {
      if (own?.has(key)) continue
      fields ??= new Map(own)
      fields.set(key, join(read(one, key), field, read, depthLeft))
    }
  const all = fields ?? own ?? NO_FIELDS
  work.elements += all.size
  return all
}

function fieldsBefore(fields: ReadonlyMap<string, AbstractValue>, end: string): Map<string, AbstractValue> {
  const before = new Map<string, AbstractValue>()
  for (const [key, field] of fields) {
    if (key === end) break
    before.set(key, field)
  }
  return before
}

const NO_FIELDS: ReadonlyMap<string, AbstractValue> = new Map()

export function withoutConstant(value: AbstractValue): AbstractValue {
  if (value.known === undefined) return value
  const { known: _, ...rest } = value
  return rest
}

/** Sets a known member or item. Beyond the limit it becomes one of the others. */
export function withField(value: AbstractValue, key: string, field: AbstractValue): AbstractValue {
  if (value.fields && value.fields.size >= FIELDS_MAX && !value.fields.has(key))
    return withOthers(value, field)
  const fields = new Map(value.fields)
  work.elements += fields.size
  fields.set(key, field)
  return { ...value, fields }
}

/** Writes to an unknown key, so any element may have changed. */
export const withOthers = (value: AbstractValue, field: AbstractValue): AbstractValue => ({
  ...withoutSize(value),
  others: value.others ? join(value.others, field) : field,
})

function withoutSize(value: AbstractValue): AbstractValue {
  if (value.size === undefined) return value
  const { size: _, ...rest } = value
  return rest
}

/** The join of all items. */
export function itemsOf(value: AbstractValue): AbstractValue {
  if (!value.fields || value.fields.size === 0) return otherItems(value) ?? UNTAINTED
  const before = work.cache.items.get(value)
  if (before) return before
  const items = [...value.fields.values()]
  work.elements += items.length
  const others = otherItems(value)
  if (others) items.push(others)
  const joined = joinAll(items)
  work.cache.items.set(value, joined)
  return joined
}

const otherItems = ({ others, taints }: AbstractValue): AbstractValue | undefined =>
  others ?? (taints.length > 0 ? { taints } : undefined)

/** All taints of the value and its elements. */
export function allTaints(value: AbstractValue, depth = TAINTS_DEPTH): readonly Taint[] {
  const { fields, others } = value
  if (depth === 0 || (!fields && !others)) return value.taints
  if (!others && fields && fields.size <= SMALL_SIZE) return taintsOfFields(value.taints, fields, depth)
  const before = work.cache.taints[depth]?.get(value)
  if (before) return before
  let { taints } = value
  if (fields) {
    work.elements += fields.size
    taints = taintsOfFields(taints, fields, depth)
  }
  if (others) taints = joinTaints(taints, allTaints(others, depth - 1))
  work.cache.taints[depth]?.set(value, taints)
  return taints
}

/** Keeping the taints of such a value takes longer than collecting them. */
const SMALL_SIZE = 2

function taintsOfFields(
  own: readonly Taint[],
  fields: ReadonlyMap<string, AbstractValue>,
  depth: number,
): readonly Taint[] {
  let taints = own
  for (const field of fields.values()) taints = joinTaints(taints, allTaints(field, depth - 1))
  return taints
}

/** Concatenates values to a string. */
export function concat(parts: readonly AbstractValue[]): AbstractValue {
  let taints: readonly Taint[] = []
  const pieces: (string | AbstractValue)[] = []
  for (const part of parts) {
    taints = joinTaints(taints, allTaints(part))
    if (part.known !== undefined && part.taints.length === 0) addText(pieces, String(part.known))
    else if (part.pieces)
      for (const piece of part.pieces) typeof piece === 'string' ? addText(pieces, piece) : pieces.push(piece)
    else pieces.push(part)
  }
  if (pieces.every((piece) => typeof piece === 'string')) return constantValue(pieces.join(''))
  return { taints, type: 'string', pieces: pieces.slice(0, PIECES_MAX) }
}

function addText(pieces: (string | AbstractValue)[], text: string): void {
  const last = pieces.at(-1)
  if (typeof last === 'string') pieces[pieces.length - 1] = last + text
  else if (text !== '') pieces.push(text)
}

export function listOf(items: readonly AbstractValue[]): AbstractValue {
  return {
    taints: [],
    type: 'list',
    fields: new Map(items.map((item, index) => [String(index), item])),
    size: items.length,
  }
}

/** Whether a condition holds, if that is certain. */
export function truthiness({ known: value, callable, taints }: AbstractValue): boolean | undefined {
  if (value === undefined) return callable && taints.length === 0 ? true : undefined
  return Boolean(value)
}
