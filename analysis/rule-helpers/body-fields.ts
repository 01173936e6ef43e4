// The fields of a message body whose class is known: numbers, dates and identifiers carry no text of the sender.

import type { AbstractValue } from '../abstract-value.ts'
import { isNumeric } from '../engine/values/declared-types.ts'
import type { ClassDefinition } from '../ir.ts'

export function withBodyFields(value: AbstractValue, definition: ClassDefinition | undefined): AbstractValue {
  if (!definition) return { ...value, others: { taints: value.taints } }
  const fields = definition.fields.map(({ name, type }): [string, AbstractValue] => {
    if (isNumeric(type)) return [name, { taints: [], ...(type !== null && { type }) }]
    const taints = value.taints.map((taint) => ({ ...taint, label: `${taint.label}.${name}` }))
    return [name, { taints, ...(type !== null && { type }) }]
  })
  return { ...value, fields: new Map(fields), others: { taints: value.taints } }
}
