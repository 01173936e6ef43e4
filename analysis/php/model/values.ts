// Values that the models of PHP speak of.

import type { AbstractValue } from '../../abstract-value.ts'
import { tainted } from '../../engine/values/values.ts'
import type { CallEvent } from '../../rule.ts'

/** What a call on a request brings, by how it is written. */
export const asked = (event: CallEvent): AbstractValue =>
  tainted('request', event.source(event.expr.at).replace(/\s+/g, ' ').slice(0, 60), event.expr.at, event.path)

/** A function whatever case it is written in, and the same one in a namespace of its own. */
export const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

export const on = (types: string, methods: string): string[] =>
  words(types).flatMap((type) => words(methods).map((method) => `${type}#${method}`))
