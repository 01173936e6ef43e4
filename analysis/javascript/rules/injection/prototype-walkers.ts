// Variables that walk down an object: `node = node[key]` in a loop or in a callback.
import type { Expr, FunctionDefinition } from '../../../ir.ts'
import { bodyParts, type Part, partsIn } from '../../ir-walk.ts'
import { type FunctionFacts, factsOf, isKey } from './prototype-facts.ts'

export function walkersIn(facts: FunctionFacts): Set<string> {
  const walkers = new Set<string>()
  for (const part of facts.parts) {
    if (part.kind !== 'loop' && part.kind !== 'call') continue
    for (const inner of part.kind === 'loop'
      ? partsIn(part.body)
      : part.args.flatMap(({ value }) => [...partsIn(value)])) {
      const name = walkerOf(facts, inner)
      if (name !== undefined) walkers.add(name)
    }
  }
  return walkers
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

/** The names of the properties of the result that hold the object at the end of the path; '' for the result itself. */
export function walkedResults(definition: FunctionDefinition): readonly string[] {
  const before = walkedResultsOf.get(definition)
  if (before) return before
  const [target] = definition.parameters
  const found = target?.target.kind === 'name' ? findWalkedResults(definition, target.target.name) : []
  walkedResultsOf.set(definition, found)
  return found
}

const walkedResultsOf = new WeakMap<FunctionDefinition, readonly string[]>()

function findWalkedResults(definition: FunctionDefinition, name: string): string[] {
  const parts = bodyParts(definition)
  const facts = factsOf(definition, parts, { outer: [], resolve: () => undefined, isFresh: () => false })
  const walkers = walkersIn(facts)
  const isWalker = (expr: Expr | null): boolean => {
    if (expr?.kind !== 'name' || !walkers.has(expr.name)) return false
    return expr.name === name || facts.given.has(expr.name)
  }
  return parts.flatMap((part) => {
    if (part.kind !== 'return') return []
    if (isWalker(part.value)) return ['']
    if (part.value?.kind !== 'map') return []
    return part.value.entries.flatMap(({ key, value }) =>
      key?.kind === 'literal' && isWalker(value) ? [String(key.value)] : [],
    )
  })
}
