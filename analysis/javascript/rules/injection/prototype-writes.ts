// Finds functions through which a key can reach `Object.prototype`: recursive merges and setters that walk
// a path. Both read `target[key]` and then write into the result.
import type { Expr, ExprOf, FunctionDefinition } from '../../../ir.ts'
import { bodyParts, boundNames, type Part, partsIn } from '../../ir-walk.ts'
import {
  type EnclosingContext,
  type FunctionFacts,
  factsOf,
  isEmpty,
  isKey,
  isKeyedWrite,
  type KeyedWrite,
  mentions,
  readOf,
  readsIn,
  textOf,
} from './prototype-facts.ts'
import { isOwnKey } from './prototype-keys.ts'

type Call = ExprOf<'call'> & Expr

/** `object[key] = …`, with the names of the object on the way there. */
export type PrototypeWrite = {
  readonly write: Expr
  readonly objects: readonly string[]
  /** A merge descends only where both objects have the key. */
  readonly isMerge?: true
  /** A table with two levels. Its keys are often chosen by the developer. */
  readonly isTable?: true
}

export function prototypeWrites(definition: FunctionDefinition, around: EnclosingContext): PrototypeWrite[] {
  const parts = bodyParts(definition)
  const writes = parts.filter(isKeyedWrite)
  if (writes.length === 0) return []
  const facts = factsOf(definition, parts, around)
  return [
    ...findMerges(facts, writes),
    ...findWalks(facts, writes),
    ...findReductions(facts, writes),
    ...nestedWrites(facts, writes),
  ]
}

/**
 * `merge(target[key], source[key])` inside `merge`, next to `target[key] = …`. Also `set(target[key], rest,
 * value)`.
 */
function findMerges(facts: FunctionFacts, writes: readonly KeyedWrite[]): PrototypeWrite[] {
  const names = namesOf(facts)
  const recursions = facts.parts.filter(
    (part): part is Call => part.kind === 'call' && isRecursion(facts, names, part.callee),
  )
  return writes.flatMap((write) => {
    const { object, key } = write.target
    if (object.kind !== 'name' || !facts.given.has(object.name) || !isKey(facts, key) || isEmpty(write.value))
      return []
    if (isOwnKey(facts.assigns, object.name, key)) return []
    const own = readOf(write.target)
    const isDeep = recursions.some(({ args }) => {
      const reads = args.map(({ value }) => readsIn(value, facts.reads))
      const at = reads.findIndex((each) => each.has(own))
      if (at === -1) return false
      const suffix = `|${textOf(key)}`
      const isMerge = reads.some(
        (each, index) => index !== at && [...each].some((read) => read !== own && read.endsWith(suffix)),
      )
      return (
        isMerge ||
        isSetter(
          facts,
          args.map(({ value }) => value),
          at,
          write,
        )
      )
    })
    return isDeep ? [{ write, objects: [object.name], isMerge: true }] : []
  })
}

/** The value is passed down unchanged and written at the end. */
function isSetter(
  { definition }: FunctionFacts,
  args: readonly Expr[],
  at: number,
  write: KeyedWrite,
): boolean {
  const own = new Set(definition.parameters.flatMap(({ target }) => boundNames(target)))
  return args.some(
    (arg, index) =>
      index !== at &&
      arg.kind === 'name' &&
      own.has(arg.name) &&
      args.length >= 3 &&
      mentions(write.value, new Set([arg.name])),
  )
}

/** A call of the function itself, of an enclosing function, or of one that calls it. */
function isRecursion({ around }: FunctionFacts, names: ReadonlySet<string>, callee: Expr): boolean {
  if (names.has(lastName(callee))) return true
  const other = around.resolve(callee)
  return (
    other !== undefined &&
    bodyParts(other).some((part) => part.kind === 'call' && names.has(lastName(part.callee)))
  )
}

function namesOf({ definition, parts, around }: FunctionFacts): ReadonlySet<string> {
  const inner = parts.flatMap((part) => (part.kind === 'function' ? [part.definition.name] : []))
  return new Set([definition.name, ...around.outer, ...inner].filter((name) => name !== ''))
}

/** `extend.call(this, …)` also calls `extend`. */
const lastName = (expr: Expr): string => {
  if (expr.kind === 'name') return expr.name
  if (expr.kind !== 'member') return ''
  return /^(?:call|apply)$/.test(expr.property) ? lastName(expr.object) : expr.property
}

/** `table[group][name] = value` with three values of the caller. */
function nestedWrites(facts: FunctionFacts, writes: readonly KeyedWrite[]): PrototypeWrite[] {
  if (!facts.definition.isExported) return []
  const typed = new Set(
    facts.definition.parameters.flatMap(({ target, type }) => (type === 'number' ? boundNames(target) : [])),
  )
  const isText = (key: Expr) =>
    !mentions(key, typed) &&
    ((isKey(facts, key) && !SHORT_NAME.test(textOf(key))) ||
      (key.kind === 'member' &&
        mentions(key.object, facts.given) &&
        !/length|index|count/i.test(key.property)))
  return writes.flatMap((write): PrototypeWrite[] => {
    const { object, key } = write.target
    if (object.kind !== 'index' || !isText(key) || !isText(object.key) || textOf(key) === textOf(object.key))
      return []
    const root = textOf(object.object)
    const isWritten = mentions(write.value, facts.given) && !isEmpty(write.value)
    return isWritten && !root.includes('?') ? [{ write, objects: [root, textOf(object)], isTable: true }] : []
  })
}

/** One letter is mostly a coordinate. */
const SHORT_NAME = /^\w$/

/** `node = node[key]` in a loop, then `node[last] = value`. */
function findWalks(facts: FunctionFacts, writes: readonly KeyedWrite[]): PrototypeWrite[] {
  const walkers = new Set<string>()
  for (const { target, value } of facts.assigns)
    if (target.kind === 'name' && isWalkResult(facts, value)) walkers.add(target.name)
  for (const part of facts.parts) {
    if (part.kind !== 'loop' && part.kind !== 'call') continue
    for (const inner of part.kind === 'loop'
      ? partsIn(part.body)
      : part.args.flatMap(({ value }) => [...partsIn(value)])) {
      const name = walkerOf(facts, inner)
      if (name !== undefined) walkers.add(name)
    }
  }
  if (walkers.size === 0) return []
  // `parent = node` keeps the previous node.
  for (const { target, value } of facts.assigns)
    if (target.kind === 'name' && value.kind === 'name' && walkers.has(value.name)) walkers.add(target.name)
  return [...delegatedWrites(facts, walkers), ...directWrites(facts, walkers, writes)]
}

function directWrites(
  facts: FunctionFacts,
  walkers: ReadonlySet<string>,
  writes: readonly KeyedWrite[],
): PrototypeWrite[] {
  return writes.flatMap((write) => {
    const { object, key } = write.target
    if (object.kind !== 'name' || !walkers.has(object.name) || !isKey(facts, key)) return []
    const isOther = write.value.kind !== 'map' && write.value.kind !== 'list' && !isEmpty(write.value)
    const isGiven = facts.given.has(object.name) && mentions(write.value, valueNames(facts, object.name))
    const isOwn = facts.fresh.has(object.name) && isCallerValue(facts, write.value, walkers)
    return isOther && (isGiven || isOwn) ? [{ write, objects: [...walkers] }] : []
  })
}

/** `assign(node, key, value)`: another function of the file does the write. */
function delegatedWrites(facts: FunctionFacts, walkers: ReadonlySet<string>): PrototypeWrite[] {
  return facts.parts.flatMap((part) => {
    if (part.kind !== 'call' || part.callee.kind !== 'name' || part.args.length < 3) return []
    const [node, key, value] = part.args.map((arg) => arg.value)
    if (node?.kind !== 'name' || !walkers.has(node.name) || !facts.given.has(node.name)) return []
    const isWrite =
      key !== undefined &&
      isKey(facts, key) &&
      value?.kind === 'name' &&
      valueNames(facts, node.name).has(value.name)
    return isWrite ? [{ write: part, objects: [...walkers] }] : []
  })
}

function walkerOf(facts: FunctionFacts, part: Part): string | undefined {
  if (part.kind !== 'assign' || part.operator !== null || part.target.kind !== 'name') return undefined
  const { name } = part.target
  const direct = [...partsIn(part.value)].some(
    (each) =>
      each.kind === 'index' &&
      each.object.kind === 'name' &&
      each.object.name === name &&
      isKey(facts, each.key),
  )
  const through =
    part.value.kind === 'name' &&
    [...(facts.reads.get(part.value.name) ?? [])].some((read) => read.startsWith(`${name}|`))
  return direct || through ? name : undefined
}

/** `parts.reduce((node, key) => node[key], target)`, or a function that walks a path the same way. */
function isWalkResult(facts: FunctionFacts, value: Expr): boolean {
  if (value.kind !== 'call') return false
  const reduced = reductionIn(facts, value)
  if (reduced) return returnsRead(reduced.callback, `${reduced.node}|${reduced.key}`)
  const [first] = value.args
  const other =
    first?.value.kind === 'name' && facts.given.has(first.value.name) && facts.around.resolve(value.callee)
  if (!other || other === facts.definition) return false
  const [target] = other.parameters
  return target?.target.kind === 'name' && isGetter(other, target.target.name)
}

/** Walks down from its first parameter by given keys and returns the result. */
function isGetter(definition: FunctionDefinition, name: string): boolean {
  const parts = bodyParts(definition)
  const facts = factsOf(definition, parts, { outer: [], resolve: () => undefined, isFresh: () => false })
  const isWalking = parts.some(
    (part) =>
      part.kind === 'loop' && [...partsIn(part.body)].some((inner) => walkerOf(facts, inner) === name),
  )
  return (
    isWalking &&
    parts.some((part) => part.kind === 'return' && part.value?.kind === 'name' && part.value.name === name)
  )
}

/** A value controlled by a caller that is not another step of the path. */
function isCallerValue({ given }: FunctionFacts, value: Expr, walkers: ReadonlySet<string>): boolean {
  const rest = new Set([...given].filter((name) => !walkers.has(name)))
  const ends = [...partsIn(value)].filter((part) => part.kind === 'name' || part.kind === 'index')
  return ends.length > 0 && mentions(value, rest) && !(value.kind === 'binary' && value.operator === '||')
}

/** The parameters other than the object and what is read from it. */
function valueNames({ definition }: FunctionFacts, walker: string): ReadonlySet<string> {
  const own = definition.parameters.slice(1).flatMap(({ target }) => boundNames(target))
  return new Set(own.filter((name) => name !== walker))
}

/**
 * `path.split('.').reduce((node, key) => (node[key] = node[key] || {}), target)`, or a last step that
 * writes the value.
 */
function findReductions(facts: FunctionFacts, writes: readonly KeyedWrite[]): PrototypeWrite[] {
  const inside = facts.parts.flatMap((part) => {
    const reduced = part.kind === 'call' ? reductionIn(facts, part) : undefined
    if (!reduced || !returnsRead(reduced.callback, `${reduced.node}|${reduced.key}`)) return []
    const { node, key, initial } = reduced
    const [first] = writes.filter(
      ({ target, value }) =>
        textOf(target.object) === node &&
        textOf(target.key) === key &&
        (facts.given.has(initial) || isCallerValue(facts, value, new Set([node, key]))),
    )
    return first ? [{ write: first, objects: [initial, node] }] : []
  })
  const behind = writes.flatMap((write) => {
    const { object, key } = write.target
    if (object.kind !== 'call' || !isWalkResult(facts, object) || !isKey(facts, key)) return []
    return mentions(write.value, facts.given) ? [{ write, objects: [] }] : []
  })
  return [...inside, ...behind]
}

type Reduction = {
  readonly callback: FunctionDefinition
  readonly initial: string
  readonly node: string
  readonly key: string
}

/**
 * `keys.reduce((node, key) => …, target)` over keys controlled by a caller, into a parameter or a new
 * object.
 */
function reductionIn(facts: FunctionFacts, { callee, args }: Call): Reduction | undefined {
  if (callee.kind !== 'member' || !callee.property.startsWith('reduce')) return undefined
  const [callback, start] = args.map(({ value }) => value)
  const initial = start?.kind === 'assign' ? start.value : start
  if (callback?.kind !== 'function' || initial?.kind !== 'name' || !mentions(callee.object, facts.given))
    return undefined
  const isOwn = facts.fresh.has(initial.name) || facts.around.isFresh(initial.name)
  if (!facts.given.has(initial.name) && !isOwn) return undefined
  const [node = '', key = ''] = callback.definition.parameters.map(({ target }) =>
    target.kind === 'name' ? target.name : '',
  )
  return { callback: callback.definition, initial: initial.name, node, key }
}

function returnsRead({ body }: FunctionDefinition, read: string): boolean {
  return [...partsIn(body)].some(
    (part) =>
      part.kind === 'return' &&
      part.value !== null &&
      [...partsIn(part.value)].some((each) => each.kind === 'index' && readOf(each) === read),
  )
}
