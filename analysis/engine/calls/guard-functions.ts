// Guards inside functions of the project: `if (!isSafe(name)) return`.

import type { AbstractValue, Callable, SinkKind } from '../../abstract-value.ts'
import type { Expr } from '../../ir.ts'
import type { CallEvent } from '../../rule.ts'
import type { Frame, Machine } from '../machine.ts'
import { classOf } from '../units/trace.ts'
import { joinAll } from '../values/values.ts'
import { findVariable, memberReader, readVariable } from '../values/variables.ts'
import { bindParameters, withFrame } from './frames.ts'
import { recordReturn } from './returns.ts'

type InferredGuard = { readonly subject: Expr; readonly sinks: readonly SinkKind[] }

const DEPTH_MAX = 3

/** The sinks each argument is sanitized for if the function returns this boolean. */
export function inferGuards(m: Machine, event: CallEvent, isTrue: boolean): InferredGuard[] {
  const { args } = event
  if (args.every(({ value }) => value.taints.length === 0)) return []
  const callee = calleeOf(m, event)
  if (!callee || m.frame.depth >= DEPTH_MAX || m.callStack.includes(callee.definition)) return []
  return withFrame(m, callee, (frame) => {
    frame.expectedReturn = isTrue
    bindParameters(m, callee.definition, args, callee.self ?? null)
    runPredicate(m, frame)
    return args.flatMap(({ value, expr }, index) => {
      const { target } = callee.definition.parameters[index] ?? {}
      const at = frame.tracked.findIndex(({ name }) => target?.kind === 'name' && name === target.name)
      const exits = frame.exits.flatMap((exit) => exit[at] ?? [])
      if (exits.length === 0 || frame.tracked[at]?.isReassigned) return []
      const sinks = addedSinks(value, joinAll(exits, memberReader(m)))
      return sinks.length > 0 ? [{ subject: expr, sinks }] : []
    })
  })
}

function runPredicate(m: Machine, { definition }: Frame): void {
  const [only] = definition?.body ?? []
  if (definition?.isExpression && only?.kind === 'expression')
    recordReturn(m, m.operations.evaluate(m, only.value), only.value)
  else if (definition && m.operations.execute(m, definition.body))
    recordReturn(m, { known: null, taints: [] }, null)
}

/** The sinks that are new in `after`. */
function addedSinks(before: AbstractValue, after: AbstractValue): SinkKind[] {
  if (before.taints.length === 0) return []
  if (after.taints.length === 0) return ['all']
  const all = after.taints
    .map(({ sanitizedFor }) => sanitizedFor)
    .reduce((one, other) => one.intersection(other))
  return [...all].filter((tag) => before.taints.some(({ sanitizedFor }) => !sanitizedFor.has(tag)))
}

function calleeOf(m: Machine, { receiver, expr, method }: CallEvent): Callable | undefined {
  if (expr.callee.kind === 'name') {
    const variable = findVariable(m.frame.scope, expr.callee.name)
    return (variable && readVariable(m, variable).callable) ?? ownMethod(m, method)
  }
  const info = receiver?.classDefinition && classOf(m, receiver.classDefinition)
  const definition = info?.methods.get(method)?.[0]
  if (info && definition && receiver) return { definition, scope: info.scope, self: receiver }
  return receiver?.fields?.get(method)?.callable
}

function ownMethod(m: Machine, method: string): Callable | undefined {
  const info = m.frame.classes.map((each) => classOf(m, each)).find((each) => each?.methods.has(method))
  const definition = info?.methods.get(method)?.[0]
  return info && definition && { definition, scope: info.scope, self: info.self }
}
