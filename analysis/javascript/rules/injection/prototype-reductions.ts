// Setters that walk a path with `reduce`, and functions that return the object at the end of a path.
import type { Expr, ExprOf, FunctionDefinition } from '../../../ir.ts'
import { partsIn } from '../../ir-walk.ts'
import {
  type FunctionFacts,
  isCallerValue,
  isKey,
  type KeyedWrite,
  mentions,
  type PrototypeWrite,
  readOf,
  textOf,
} from './prototype-facts.ts'
import { walkedResults } from './prototype-walkers.ts'

type Call = ExprOf<'call'> & Expr

const PATH = /\bsplit\(\)|(?:path|parts|keys|segments|initial)\b/i

/** `parts.reduce((node, key) => node[key], target)`, or a function that walks a path the same way. */
export function isWalkResult(facts: FunctionFacts, value: Expr): boolean {
  if (value.kind !== 'call') return false
  const reduced = reductionIn(facts, value)
  if (reduced?.callback) return returnsRead(reduced.callback, `${reduced.node}|${reduced.key}`)
  // `path.split('.').reduce(descend, target)`.
  if (reduced) return value.callee.kind === 'member' && PATH.test(textOf(value.callee.object))
  const [first] = value.args
  const other =
    first?.value.kind === 'name' && facts.given.has(first.value.name) && facts.around.resolve(value.callee)
  return Boolean(other && other !== facts.definition && walkedResults(other).includes(''))
}

/**
 * `path.split('.').reduce((node, key) => (node[key] = node[key] || {}), target)`, or a last step that
 * writes the value.
 */
export function findReductions(facts: FunctionFacts, writes: readonly KeyedWrite[]): PrototypeWrite[] {
  const inside = facts.parts.flatMap((part) => {
    const reduced = part.kind === 'call' ? reductionIn(facts, part) : undefined
    if (!reduced?.callback || !returnsRead(reduced.callback, `${reduced.node}|${reduced.key}`)) return []
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
  /** Undefined for a function that is passed by name. */
  readonly callback: FunctionDefinition | undefined
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
  const isFunction = callback?.kind === 'function' || callback?.kind === 'name'
  if (!isFunction || initial?.kind !== 'name' || !mentions(callee.object, facts.given)) return undefined
  const isOwn = facts.fresh.has(initial.name) || facts.around.isFresh(initial.name)
  if (!facts.given.has(initial.name) && !isOwn) return undefined
  if (callback.kind === 'name') return { callback: undefined, initial: initial.name, node: '', key: '' }
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
