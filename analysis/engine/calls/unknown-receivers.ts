// Methods of a receiver whose class is unknown: if few classes of the scanned files implement a method of
// that name, the call is one of them.

import type { AbstractValue } from '../../abstract-value.ts'
import type { CallEvent } from '../../rule.ts'
import type { Machine } from '../machine.ts'
import { lookUpClasses } from '../units/trace.ts'
import { joinAll } from '../values/values.ts'

const CANDIDATES_MAX = 2
/** Short names such as `get` and `run` are common to unrelated classes. */
const NAME_LENGTH_MIN = 7

export function invokeByMethodName(
  m: Machine,
  { expr, method, receiver, args }: CallEvent,
): AbstractValue | undefined {
  if (m.language !== 'python' || expr.callee.kind !== 'member' || method.length < NAME_LENGTH_MIN)
    return undefined
  if (!receiver || receiver.type !== undefined || receiver.taints.length > 0) return undefined
  const candidates = lookUpClasses(m, 'method', method)
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
