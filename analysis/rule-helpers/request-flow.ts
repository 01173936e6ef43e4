// Taint queries about request data in the arguments of a call.

import type { AbstractValue, SinkKind, Taint } from '../abstract-value.ts'
import type { CallEvent, Hit } from '../rule.ts'
import { findTaintedInterpolation, flowHit, isDirectRequest } from './interpolations.ts'

export type Fits = (taint: Taint, before: string) => boolean

/** The hit for the first argument value that request data reaches. */
export function requestHit(
  event: CallEvent,
  values: readonly (AbstractValue | undefined)[],
  sinks: readonly SinkKind[],
  into: string,
  fits: Fits = () => true,
): Hit | undefined {
  for (const value of values) {
    const found =
      value &&
      findTaintedInterpolation(
        value,
        sinks,
        (taint, { before }) => isDirectRequest(taint) && fits(taint, before),
      )
    if (found) return flowHit(event.expr.at, found.taint, into)
  }
  return undefined
}

/** The values of the positional arguments. */
export const positional = ({ args }: CallEvent): AbstractValue[] =>
  args.filter(({ name }) => name === null).map(({ value }) => value)

/** The receiver as written. */
export const receiverText = ({ expr, source }: CallEvent): string =>
  expr.callee.kind === 'member' ? source(expr.callee.object.at) : ''
