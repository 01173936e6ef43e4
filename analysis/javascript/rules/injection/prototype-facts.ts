// Facts about a function that the search for prototype writes needs: which names a caller controls and
// which index reads each name was assigned from.
import type { Expr, ExprOf, FunctionDefinition } from '../../../ir.ts'
import { bodyParts, boundNames, type Part, partsIn } from '../../ir-walk.ts'
import { type Assignment, addedTo, assignmentsIn, pairsIn } from './prototype-keys.ts'

type Assign = ExprOf<'assign'> & Expr
type Index = ExprOf<'index'> & Expr

/** The names of the enclosing functions, and lookups in the rest of the program. */
export type EnclosingContext = {
  readonly outer: readonly string[]
  readonly resolve: (callee: Expr) => FunctionDefinition | undefined
  /** Whether an outer name holds a new object. */
  readonly isFresh: (name: string) => boolean
}

export type FunctionFacts = {
  readonly definition: FunctionDefinition
  readonly parts: readonly Part[]
  /** Names whose values a caller controls. */
  readonly given: ReadonlySet<string>
  readonly counters: ReadonlySet<string>
  /** Names initialized with a new object, which shares `Object.prototype`. */
  readonly fresh: ReadonlySet<string>
  readonly around: EnclosingContext
  /** The index reads a name was assigned from: `target|key`. */
  readonly reads: ReadonlyMap<string, ReadonlySet<string>>
  readonly assigns: readonly Assignment[]
}

/** `object[key] = …`, with the names of the object on the way there. */
export type PrototypeWrite = {
  readonly write: Expr
  readonly objects: readonly string[]
  /** A merge descends only where both objects have the key. */
  readonly isMerge?: true
  /** A table with two levels. Its keys are often chosen by the developer. */
  readonly isTable?: true
}

export type KeyedWrite = Assign & { readonly target: Index }

export const isKeyedWrite = (part: Part): part is KeyedWrite =>
  part.kind === 'assign' &&
  part.operator === null &&
  part.target.kind === 'index' &&
  part.target.key.kind !== 'literal'

export function factsOf(
  definition: FunctionDefinition,
  parts: readonly Part[],
  around: EnclosingContext,
): FunctionFacts {
  // The callee controls the parameters of an anonymous inner function.
  const inner = parts.flatMap((part) => (part.kind === 'function' ? part.definition.parameters : []))
  const bound = [...definition.parameters, ...inner].flatMap(({ target }) => boundNames(target))
  const given = new Set(['arguments', ...bound])
  const counters = new Set<string>()
  const reads = new Map<string, Set<string>>()
  const assigns = parts.flatMap(assignmentsIn)
  const added = parts.flatMap(addedTo)
  for (let round = 0; round < ROUNDS; round++) {
    for (const { target, value } of assigns) {
      const names = boundNames(target)
      if (mentions(value, given) && !isClassOf(value)) for (const name of names) given.add(name)
      const found = readsIn(value, reads)
      for (const name of names) reads.set(name, new Set([...(reads.get(name) ?? []), ...found]))
    }
    for (const { list, value } of added) if (mentions(value, given)) given.add(list)
  }
  for (const { target, value } of assigns)
    if (target.kind === 'name' && value.kind === 'literal' && typeof value.value === 'number')
      counters.add(target.name)
  for (const [name, object, key] of parts.flatMap(pairsIn))
    reads.set(name, new Set([...(reads.get(name) ?? []), `${object}|${key}`]))
  const fresh = freshNames(assigns, around)
  return { definition, parts, given, counters, reads, assigns, fresh, around }
}

/** `model.constructor`: the class belongs to the program. */
const isClassOf = (value: Expr): boolean => value.kind === 'member' && value.property === 'constructor'

const ROUNDS = 3

function freshNames(assigns: FunctionFacts['assigns'], around: EnclosingContext): ReadonlySet<string> {
  const fresh = new Set<string>()
  const isFresh = (value: Expr): boolean => {
    if (value.kind === 'name') return fresh.has(value.name)
    return isEmpty(value) ? value.kind === 'map' : value.kind === 'call' && returnsEmpty(value, around)
  }
  for (let round = 0; round < 2; round++)
    for (const { target, value } of assigns)
      if (target.kind === 'name' && isFresh(value)) fresh.add(target.name)
  return fresh
}

/** `create(key)`, which returns `{}` or `[]`. */
export function returnsEmpty({ callee }: ExprOf<'call'>, { resolve }: EnclosingContext): boolean {
  const definition = resolve(callee)
  const results = definition ? bodyParts(definition).filter((part) => part.kind === 'return') : []
  return results.length > 0 && results.every(({ value }) => value !== null && isEmpty(value))
}

export function mentions(expr: Expr, names: ReadonlySet<string>): boolean {
  for (const part of partsIn(expr)) {
    if (part.kind === 'function') return false
    if (part.kind === 'name' && names.has(part.name)) return true
  }
  return false
}

/** The `object[key]` reads in an expression, including those of the names in it. */
export function readsIn(expr: Expr, known: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set<string>()
  for (const part of partsIn(expr)) {
    if (part.kind === 'index') found.add(readOf(part))
    if (part.kind === 'name') for (const each of known.get(part.name) ?? []) found.add(each)
  }
  return found
}

export const readOf = ({ object, key }: ExprOf<'index'>): string => `${textOf(object)}|${textOf(key)}`

export function textOf(expr: Expr): string {
  if (expr.kind === 'name') return expr.name
  if (expr.kind === 'member') return `${textOf(expr.object)}.${expr.property}`
  if (expr.kind === 'index') return `${textOf(expr.object)}[${textOf(expr.key)}]`
  if (expr.kind === 'literal') return String(expr.value)
  return expr.kind === 'call' ? `${textOf(expr.callee)}()` : '?'
}

/** A key controlled by a caller that is not a number: a name, an item of a list or a shifted item. */
export function isKey({ given, counters }: FunctionFacts, key: Expr): boolean {
  if (key.kind === 'name')
    return given.has(key.name) && !counters.has(key.name) && !NUMBER_NAME.test(key.name)
  if (key.kind === 'index') return mentions(key.object, given)
  return key.kind === 'call' && key.callee.kind === 'member' && mentions(key.callee.object, given)
}

/** Names of counters. */
export const NUMBER_NAME = /^(?:[ijn]|idx|row|col|pos|offset|len|\w*[iI]ndex\w*)$/

/** `target[key] = {}` and `new Container()` only create a container. */
export const isEmpty = (value: Expr): boolean =>
  (value.kind === 'call' && value.isNew && value.args.length === 0) ||
  (value.kind === 'conditional' && isEmpty(value.then) && isEmpty(value.otherwise)) ||
  (value.kind === 'map' && value.entries.length === 0) ||
  (value.kind === 'list' && value.items.length === 0)

/** A value controlled by a caller that is not another step of the path. */
export function isCallerValue({ given }: FunctionFacts, value: Expr, walkers: ReadonlySet<string>): boolean {
  const rest = new Set([...given].filter((name) => !walkers.has(name)))
  const ends = [...partsIn(value)].filter((part) => part.kind === 'name' || part.kind === 'index')
  return ends.length > 0 && mentions(value, rest) && !(value.kind === 'binary' && value.operator === '||')
}
