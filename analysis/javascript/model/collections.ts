// Built-in functions for lists and objects.
import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { itemsOf, joinTaints } from '../../engine/values/values.ts'
import type { CallEvent } from '../../rule.ts'

export const concatLists = (event: CallEvent): AbstractValue => ({
  taints: [],
  others: [event.receiver ?? UNTAINTED, ...values(event)]
    .map(itemsOf)
    .reduce((one, other) => ({ taints: joinTaints(one.taints, other.taints) })),
})

/** Known keys are untainted. The keys of a tainted object are tainted. */
export function keys(event: CallEvent): AbstractValue {
  const value = event.arg(0)?.value ?? UNTAINTED
  const { taints } = value
  return { taints, others: { taints, type: 'string' } }
}

export function items(value: AbstractValue | undefined): AbstractValue {
  if (!value) return { taints: [], type: 'list', fields: new Map(), size: 0 }
  return value.fields || value.others ? { ...value, others: itemsOf(value) } : value
}

export function entries(event: CallEvent): AbstractValue {
  const value = event.arg(0)?.value ?? UNTAINTED
  const key: AbstractValue = { taints: value.taints, type: 'string' }
  return {
    taints: value.taints,
    others: {
      taints: [],
      fields: new Map([
        ['0', key],
        ['1', itemsOf(value)],
      ]),
      size: 2,
    },
  }
}

export function mergeObjects(event: CallEvent): AbstractValue {
  let result: AbstractValue = { taints: [] }
  for (const value of values(event)) {
    const fields = new Map([...overridden(result.fields, value), ...(value.fields ?? [])])
    const others = value.others ?? result.others
    result = { taints: joinTaints(result.taints, value.taints), fields, ...(others && { others }) }
  }
  return result
}

/** Unknown fields of a tainted object replace the fields before: `Object.assign({ title: '' }, options)`. */
function overridden(fields: AbstractValue['fields'], { taints }: AbstractValue) {
  if (taints.length === 0 || !fields) return fields ?? []
  return [...fields].map(([key, field]): [string, AbstractValue] => [
    key,
    field.callable ? field : { taints: joinTaints(field.taints, taints) },
  ])
}

export const values = ({ args }: CallEvent): AbstractValue[] =>
  args.map(({ value, isSpread }) => (isSpread ? itemsOf(value) : value))
