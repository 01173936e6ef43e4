// Checks that the code has put into a function of its own: `if (!isSafe(name)) return`.

import type { Callable, Cleaning, Value } from '../../abstract-value.ts'
import type { Expr } from '../../ir.ts'
import type { CallEvent } from '../../rule.ts'
import type { Frame, Machine } from '../machine.ts'
import { joinAll } from '../values/values.ts'
import { find, memberReader, read } from '../values/variables.ts'
import { bindParameters, inFrame } from './frames.ts'
import { leaveWith } from './returns.ts'

type Guarded = { readonly about: Expr; readonly tags: readonly Cleaning[] }

const DEPTH_MAX = 3

/** What the arguments are clean of where a function of ours answered so. */
export function guardedByFunction(m: Machine, event: CallEvent, isTrue: boolean): Guarded[] {
  const { args } = event
  if (args.every(({ value }) => value.taints.length === 0)) return []
  const callee = calleeOf(m, event)
  if (!callee || m.frame.depth >= DEPTH_MAX || m.active.includes(callee.definition)) return []
  return inFrame(m, callee, (frame) => {
    frame.asked = isTrue
    bindParameters(m, callee.definition, args, callee.self ?? null)
    answer(m, frame)
    return args.flatMap(({ value, expr }, index) => {
      const { target } = callee.definition.parameters[index] ?? {}
      const at = frame.watched.findIndex(({ name }) => target?.kind === 'name' && name === target.name)
      const exits = frame.exits.flatMap((exit) => exit[at] ?? [])
      if (exits.length === 0 || frame.watched[at]?.isReplaced) return []
      const tags = gained(value, joinAll(exits, memberReader(m)))
      return tags.length > 0 ? [{ about: expr, tags }] : []
    })
  })
}

function answer(m: Machine, { definition }: Frame): void {
  const [only] = definition?.body ?? []
  if (definition?.isExpression && only?.kind === 'expression')
    leaveWith(m, m.parts.evaluate(m, only.value), only.value)
  else if (definition && m.parts.execute(m, definition.body)) leaveWith(m, { known: null, taints: [] }, null)
}

/** What it is clean of now and was not before. */
function gained(before: Value, after: Value): Cleaning[] {
  if (before.taints.length === 0) return []
  if (after.taints.length === 0) return ['all']
  const all = after.taints.map(({ cleaned }) => cleaned).reduce((one, other) => one.intersection(other))
  return [...all].filter((tag) => before.taints.some(({ cleaned }) => !cleaned.has(tag)))
}

function calleeOf(m: Machine, { receiver, expr, method }: CallEvent): Callable | undefined {
  if (expr.callee.kind === 'name') {
    const variable = find(m.frame.scope, expr.callee.name)
    return (variable && read(m, variable).callable) ?? ownMethod(m, method)
  }
  const info = receiver?.of && m.classes.get(receiver.of)
  const definition = info?.methods.get(method)?.[0]
  if (info && definition && receiver) return { definition, scope: info.scope, self: receiver }
  return receiver?.fields?.get(method)?.callable
}

function ownMethod(m: Machine, method: string): Callable | undefined {
  const info = m.frame.classes.map((each) => m.classes.get(each)).find((each) => each?.methods.has(method))
  const definition = info?.methods.get(method)?.[0]
  return info && definition && { definition, scope: info.scope, self: info.self }
}
