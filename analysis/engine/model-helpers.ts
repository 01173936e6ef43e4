// Helpers for language models to describe the result of a library call.

import { type AbstractValue, type Origin, type SinkKind, UNTAINTED } from '../abstract-value.ts'
import type { CallModel } from '../language-model.ts'
import type { CallEvent } from '../rule.ts'
import { allTaints, constantValue, joinTaints, sanitize, tainted, withoutConstant } from './values/values.ts'

type Returns = CallModel['returns']

/** Propagates all taints, sanitized for these sinks. */
export const sanitizes =
  (...sinks: readonly SinkKind[]): Returns =>
  (event) =>
    sanitize({ taints: taintsOf(event) }, sinks)

/** Propagates the taints of these arguments: decoders, `String(x)`, `trim`. */
export const propagates =
  (...from: readonly (number | 'receiver')[]): Returns =>
  (event) => {
    const values = from.map(
      (each) => (each === 'receiver' ? event.receiver : event.arg(each)?.value) ?? UNTAINTED,
    )
    return {
      taints: values.reduce<AbstractValue['taints']>(
        (taints, value) => joinTaints(taints, allTaints(value)),
        [],
      ),
    }
  }

/** Returns the argument itself. */
export const returnsArgument =
  (from: number | 'receiver'): Returns =>
  (event) =>
    (from === 'receiver' ? event.receiver : event.arg(from)?.value) ?? UNTAINTED

/** Returns an untainted value of this type. */
export const returnsType =
  (type: string): Returns =>
  () => ({ taints: [], type })

/** Returns a value of this type with the taints of these arguments. */
export const returnsTypeFrom =
  (type: string, ...from: readonly (number | 'receiver')[]): Returns =>
  (event) => ({ ...propagates(...from)(event), taints: propagates(...from)(event)?.taints ?? [], type })

/** Returns an untainted value: numbers, booleans, identifiers. */
export const returnsUntainted = (): Returns => () => UNTAINTED

/** Returns a taint source. */
export const returnsSource =
  (origin: Origin, label?: string): Returns =>
  (event) => {
    const text = label ?? event.source(event.expr.at).replace(/\s+/g, ' ').slice(0, 60)
    return tainted(origin, text, event.expr.at, event.path)
  }

export const returnsRequest = (label?: string): Returns => returnsSource('request', label)

/** Computes the result if all strings are constant, otherwise propagates the taints. */
export const evaluatesStrings =
  (work: (...texts: readonly string[]) => string | number | boolean | undefined): Returns =>
  (event) => {
    const values = [...(event.receiver ? [event.receiver] : []), ...event.args.map(({ value }) => value)]
    if (values.every((value) => value.known !== undefined)) {
      const result = work(...values.map((value) => String(value.known)))
      if (result !== undefined) return constantValue(result)
    }
    return { taints: taintsOf(event) }
  }

/** The taints of the receiver and the arguments. */
export function taintsOf({ receiver, args }: CallEvent): AbstractValue['taints'] {
  let taints = receiver ? allTaints(withoutConstant(receiver)) : []
  for (const { value } of args) taints = joinTaints(taints, allTaints(value))
  return taints
}
