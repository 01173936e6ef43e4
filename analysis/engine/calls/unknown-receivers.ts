// Methods of a receiver whose class is unknown: if few classes of the scanned files implement a method of
// that name, the call is one of them.

import type { AbstractValue } from '../../abstract-value.ts'
import type { FunctionDefinition } from '../../ir.ts'
import type { CallEvent } from '../../rule.ts'
import type { ClassInfo, Machine } from '../machine.ts'
import { joinAll } from '../values/values.ts'
import { appendToIndex } from './classes.ts'

const CANDIDATES_MAX = 2
/** Short names such as `get` and `run` are common to unrelated classes. */
const NAME_LENGTH_MIN = 7

type MethodIndex = { readonly classes: number; readonly byName: ReadonlyMap<string, readonly ClassInfo[]> }

const indexes = new WeakMap<Machine['classes'], MethodIndex>()

export function invokeByMethodName(
  m: Machine,
  { expr, method, receiver, args }: CallEvent,
): AbstractValue | undefined {
  if (m.language !== 'python' || expr.callee.kind !== 'member' || method.length < NAME_LENGTH_MIN)
    return undefined
  if (!receiver || receiver.type !== undefined || receiver.taints.length > 0) return undefined
  const candidates = methodIndex(m).get(method) ?? []
  if (candidates.length === 0 || candidates.length > CANDIDATES_MAX) return undefined
  const results = candidates.map((each) => {
    const definition = each.methods.get(method)?.[0]
    return (
      definition &&
      m.operations.invoke(m, { definition, scope: each.scope, self: each.self }, args, each.self)
    )
  })
  const values = results.flatMap((result) => (result ? [result.value] : []))
  return values.length === results.length ? joinAll(values) : undefined
}

/** Declared for the subclasses: `@abstractmethod`, or a body that only raises an error. */
const isAbstract = ({ annotations, body }: FunctionDefinition): boolean =>
  annotations.some(({ name }) => /(?:^|\.)abstractmethod$/.test(name)) || body[0]?.kind === 'throw'

function methodIndex(m: Machine): ReadonlyMap<string, readonly ClassInfo[]> {
  const before = indexes.get(m.classes)
  if (before?.classes === m.classes.size) return before.byName
  const byName = new Map<string, ClassInfo[]>()
  for (const info of m.classes.values())
    for (const [name, [definition]] of info.methods)
      if (definition && !isAbstract(definition)) appendToIndex(byName, name, info)
  indexes.set(m.classes, { classes: m.classes.size, byName })
  return byName
}
