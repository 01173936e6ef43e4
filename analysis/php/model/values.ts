// Abstract values and name lists shared by the PHP models.

import type { AbstractValue } from '../../abstract-value.ts'
import { tainted } from '../../engine/values/values.ts'
import type { CallEvent } from '../../rule.ts'

/** A taint source labelled with its source text. */
export const requestSource = (event: CallEvent): AbstractValue =>
  tainted('request', event.source(event.expr.at).replace(/\s+/g, ' ').slice(0, 60), event.expr.at, event.path)

export const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

export const on = (types: string, methods: string): string[] =>
  words(types).flatMap((type) => words(methods).map((method) => `${type}#${method}`))
