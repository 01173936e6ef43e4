// Finds functions through which a key can reach `Object.prototype`: recursive merges, setters that walk a path
// and tables with two levels. All read `target[key]` and then write into the result.
import type { Expr, FunctionDefinition } from '../../../ir.ts'
import { bodyParts, boundNames } from '../../ir-walk.ts'
import {
  type EnclosingContext,
  type FunctionFacts,
  factsOf,
  isEmpty,
  isKey,
  isKeyedWrite,
  type KeyedWrite,
  mentions,
  type PrototypeWrite,
  textOf,
} from './prototype-facts.ts'
import { findMerges } from './prototype-merges.ts'
import { findReductions } from './prototype-reductions.ts'
import { findWalks } from './prototype-walks.ts'

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
