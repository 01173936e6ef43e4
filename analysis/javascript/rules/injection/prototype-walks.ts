// Setters that walk a path with a loop: `node = node[key]`, then `node[last] = value`.
import type { Expr } from '../../../ir.ts'
import { boundNames } from '../../ir-walk.ts'
import {
  type FunctionFacts,
  isCallerValue,
  isEmpty,
  isKey,
  type KeyedWrite,
  mentions,
  NUMBER_NAME,
  type PrototypeWrite,
  returnsEmpty,
} from './prototype-facts.ts'
import { isWalkResult } from './prototype-reductions.ts'
import { walkedResults, walkersIn } from './prototype-walkers.ts'

export function findWalks(facts: FunctionFacts, writes: readonly KeyedWrite[]): PrototypeWrite[] {
  const walkers = walkersIn(facts)
  for (const { target, value } of facts.assigns)
    if (target.kind === 'name' && (isWalkResult(facts, value) || isWalkedPart(facts, value)))
      walkers.add(target.name)
  if (walkers.size === 0) return []
  // `parent = node` keeps the previous node.
  for (const { target, value } of facts.assigns)
    if (target.kind === 'name' && value.kind === 'name' && walkers.has(value.name)) walkers.add(target.name)
  return [...delegatedWrites(facts, walkers), ...directWrites(facts, walkers, writes)]
}

/** `found.node`, where `const found = open(target, path)` returns the object and the last key. */
function isWalkedPart(facts: FunctionFacts, value: Expr): boolean {
  if (value.kind !== 'member' || value.object.kind !== 'name') return false
  const { name } = value.object
  return facts.assigns.some(({ target, value: from }) => {
    if (target.kind !== 'name' || target.name !== name || from.kind !== 'call') return false
    const [first] = from.args
    const isGiven = first?.value.kind === 'name' && facts.given.has(first.value.name)
    const opener = isGiven ? facts.around.resolve(from.callee) : undefined
    return opener !== undefined && walkedResults(opener).includes(value.property)
  })
}

function directWrites(
  facts: FunctionFacts,
  walkers: ReadonlySet<string>,
  writes: readonly KeyedWrite[],
): PrototypeWrite[] {
  return writes.flatMap((write) => {
    const { object, key } = write.target
    if (object.kind !== 'name' || !walkers.has(object.name) || !isKey(facts, key)) return []
    const isNew = write.value.kind === 'call' && returnsEmpty(write.value, facts.around)
    const isOther =
      write.value.kind !== 'map' && write.value.kind !== 'list' && !isNew && !isEmpty(write.value)
    const names = valueNames(facts, walkers)
    if (key.kind === 'name') names.delete(key.name)
    const isGiven = facts.given.has(object.name) && mentions(write.value, names)
    const isOwn = facts.fresh.has(object.name) && isCallerValue(facts, write.value, walkers)
    return isOther && (isGiven || isOwn) ? [{ write, objects: [...walkers] }] : []
  })
}

/** `assign(node, key, value)`: another function of the file does the write. */
function delegatedWrites(facts: FunctionFacts, walkers: ReadonlySet<string>): PrototypeWrite[] {
  const own = new Set(facts.definition.parameters.slice(1).flatMap(({ target }) => boundNames(target)))
  return facts.parts.flatMap((part) => {
    if (part.kind !== 'call' || part.callee.kind !== 'name' || part.args.length < 3) return []
    const [node, key, value] = part.args.map((arg) => arg.value)
    if (node?.kind !== 'name' || !walkers.has(node.name) || !facts.given.has(node.name)) return []
    const isWrite =
      key !== undefined &&
      isKey(facts, key) &&
      value?.kind === 'name' &&
      value.name !== node.name &&
      own.has(value.name)
    return isWrite ? [{ write: part, objects: [...walkers] }] : []
  })
}

/** Names that a caller controls, except the object and what is read from it. */
function valueNames({ given, reads, assigns }: FunctionFacts, walkers: ReadonlySet<string>): Set<string> {
  const roots = new Set(walkers)
  for (const { target, value } of assigns)
    if (target.kind === 'name' && walkers.has(target.name) && value.kind === 'name') roots.add(value.name)
  return new Set(
    [...given].filter(
      (name) =>
        name !== 'arguments' &&
        !NUMBER_NAME.test(name) &&
        !roots.has(name) &&
        ![...(reads.get(name) ?? [])].some((read) => roots.has(read.slice(0, read.indexOf('|')))),
    ),
  )
}
