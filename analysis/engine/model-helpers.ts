// Short ways for a model to say what a library function does to what it is given.

import { type AbstractValue, type Origin, type SinkKind, UNTAINTED } from '../abstract-value.ts'
import type { CallModel } from '../language-model.ts'
import type { CallEvent } from '../rule.ts'
import { allTaints, constantValue, joinTaints, sanitize, tainted, withoutConstant } from './values/values.ts'

type Returns = CallModel['returns']

/** What goes in comes out, cleaned of these: an escaping, a conversion. */
export const sanitizes =
  (...sinks: readonly SinkKind[]): Returns =>
  (event) =>
    sanitize({ taints: taintsOf(event) }, sinks)

/** What goes in at these places comes out: decoders, `String(x)`, `trim`. */
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

/** The very value that goes in at this place. */
export const returnsArgument =
  (from: number | 'receiver'): Returns =>
  (event) =>
    (from === 'receiver' ? event.receiver : event.arg(from)?.value) ?? UNTAINTED

/** A value of ours of this type. */
export const returnsType =
  (type: string): Returns =>
  () => ({ taints: [], type })

/** A value of this type that is made of what goes in. */
export const returnsTypeFrom =
  (type: string, ...from: readonly (number | 'receiver')[]): Returns =>
  (event) => ({ ...propagates(...from)(event), taints: propagates(...from)(event)?.taints ?? [], type })

/** Nothing of what goes in comes out: numbers, truths, ids. */
export const returnsUntainted = (): Returns => () => UNTAINTED

/** What it returns comes from outside. */
export const returnsSource =
  (origin: Origin, label?: string): Returns =>
  (event) => {
    const text = label ?? event.source(event.expr.at).replace(/\s+/g, ' ').slice(0, 60)
    return tainted(origin, text, event.expr.at, event.path)
  }

export const returnsRequest = (label?: string): Returns => returnsSource('request', label)

/** A function of texts, worked out where all of them are known; otherwise what goes in comes out. */
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

/** The taints of what a call is made on and given, without a doubt added. */
export function taintsOf({ receiver, args }: CallEvent): AbstractValue['taints'] {
  let taints = receiver ? allTaints(withoutConstant(receiver)) : []
  for (const { value } of args) taints = joinTaints(taints, allTaints(value))
  return taints
}
