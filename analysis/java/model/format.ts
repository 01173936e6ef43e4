// `String.format`: the constant parts and the inserted values.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { concat, constantValue } from '../../engine/values/values.ts'
import type { CallEvent } from '../../rule.ts'

export function formatted(event: CallEvent): AbstractValue | undefined {
  const values = event.args.map(({ value }) => value)
  const given = event.method === 'formatted' ? [event.receiver ?? UNTAINTED, ...values] : values
  const [format, ...rest] = isLocale(given[0]) ? given.slice(1) : given
  if (typeof format?.known !== 'string') return concat([format ?? UNTAINTED, ...rest])
  return concat(pieces(format.known, rest))
}

const isLocale = (value: AbstractValue | undefined): boolean =>
  /Locale/.test(value?.type ?? value?.name ?? '')

function pieces(format: string, values: readonly AbstractValue[]): AbstractValue[] {
  const made: AbstractValue[] = []
  let [end, next] = [0, 0]
  for (const match of format.matchAll(/%(?:(\d+)\$)?[-#+ 0,(<]*\d*(?:\.\d+)?([a-zA-Z%])/g)) {
    const [whole, position, conversion = ''] = match
    made.push(constantValue(format.slice(end, match.index)))
    end = match.index + whole.length
    if (conversion === '%' || conversion === 'n') made.push(constantValue(conversion === '%' ? '%' : '\n'))
    else made.push(shown(conversion, values[position ? Number(position) - 1 : next++]))
  }
  return [...made, constantValue(format.slice(end))]
}

/** Only `%s` can insert tainted text. Numbers, booleans and characters are safe. */
const shown = (conversion: string, value: AbstractValue | undefined): AbstractValue =>
  /[sS]/.test(conversion) ? (value ?? UNTAINTED) : { taints: [] }
