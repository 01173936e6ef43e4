// Short ways for a model to say what a library function does to what it is given.

import { CLEAN, type Cleaning, type Origin, type Value } from '../abstract-value.ts'
import type { CallModel } from '../language-model.ts'
import type { CallEvent } from '../rule.ts'
import { allTaints, cleaned, joinTaints, known, tainted, withoutKnown } from './values/values.ts'

type Returns = CallModel['returns']

/** What goes in comes out, cleaned of these: an escaping, a conversion. */
export const cleans =
  (...tags: readonly Cleaning[]): Returns =>
  (event) =>
    cleaned({ taints: taintsOf(event) }, tags)

/** What goes in at these places comes out: decoders, `String(x)`, `trim`. */
export const passes =
  (...from: readonly (number | 'receiver')[]): Returns =>
  (event) => {
    const values = from.map(
      (each) => (each === 'receiver' ? event.receiver : event.arg(each)?.value) ?? CLEAN,
    )
    return {
      taints: values.reduce<Value['taints']>((taints, value) => joinTaints(taints, allTaints(value)), []),
    }
  }

/** The very value that goes in at this place. */
export const same =
  (from: number | 'receiver'): Returns =>
  (event) =>
    (from === 'receiver' ? event.receiver : event.arg(from)?.value) ?? CLEAN

/** A value of ours of this type. */
export const makes =
  (type: string): Returns =>
  () => ({ taints: [], type })

/** A value of this type that is made of what goes in. */
export const makesFrom =
  (type: string, ...from: readonly (number | 'receiver')[]): Returns =>
  (event) => ({ ...passes(...from)(event), taints: passes(...from)(event)?.taints ?? [], type })

/** Nothing of what goes in comes out: numbers, truths, ids. */
export const constant = (): Returns => () => CLEAN

/** What it returns comes from outside. */
export const brings =
  (origin: Origin, label?: string): Returns =>
  (event) => {
    const text = label ?? event.source(event.expr.at).replace(/\s+/g, ' ').slice(0, 60)
    return tainted(origin, text, event.expr.at, event.path)
  }

export const request = (label?: string): Returns => brings('request', label)

/** A function of texts, worked out where all of them are known; otherwise what goes in comes out. */
export const text =
  (work: (...texts: readonly string[]) => string | number | boolean | undefined): Returns =>
  (event) => {
    const values = [...(event.receiver ? [event.receiver] : []), ...event.args.map(({ value }) => value)]
    if (values.every((value) => value.known !== undefined)) {
      const result = work(...values.map((value) => String(value.known)))
      if (result !== undefined) return known(result)
    }
    return { taints: taintsOf(event) }
  }

/** The taints of what a call is made on and given, without a doubt added. */
export function taintsOf({ receiver, args }: CallEvent): Value['taints'] {
  let taints = receiver ? allTaints(withoutKnown(receiver)) : []
  for (const { value } of args) taints = joinTaints(taints, allTaints(value))
  return taints
}
