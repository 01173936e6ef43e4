// A cache key for the arguments of a call. Equal keys give equal results.

import type { AbstractValue } from '../../abstract-value.ts'
import type { EvaluatedArgument } from '../../rule.ts'

const DEPTH_MAX = 2
/** Longer keys are cut. */
const LENGTH_MAX = 2_000

export function signatureOf(args: readonly EvaluatedArgument[], self: AbstractValue | null): string {
  let text = self ? appendValue('', self, DEPTH_MAX) : ''
  text += '('
  for (const [index, { name, isSpread, value }] of args.entries()) {
    if (text.length >= LENGTH_MAX) break
    text += `${index > 0 ? ',' : ''}${name ?? ''}${isSpread ? '…' : ''}`
    text = appendValue(text, value, DEPTH_MAX)
  }
  return `${text})`.slice(0, LENGTH_MAX)
}

/** Appends a value to the key. */
function appendValue(before: string, value: AbstractValue, depth: number): string {
  if (before.length >= LENGTH_MAX) return before
  const { known, taints, name, type, callable, pieces } = value
  if (known !== undefined) return before + JSON.stringify(known)
  let text = before + (type ?? name ?? '?')
  for (const { origin, label, sanitizedFor, unknownCalls } of taints)
    text += `!${origin}:${label}:${sanitizedFor.size === 0 ? '' : [...sanitizedFor].sort().join('+')}:${unknownCalls}`
  if (callable) text += `@${callable.definition.at.start}${callable.definition.name}`
  if (pieces) text += `~${pieces.map((piece) => (typeof piece === 'string' ? piece : '$')).join('')}`
  return depth === 0 ? text : appendElements(text, value, depth - 1)
}

function appendElements(before: string, { fields, others }: AbstractValue, depth: number): string {
  let text = before
  if (fields) {
    let mark = '{'
    for (const [key, field] of fields) {
      if (text.length >= LENGTH_MAX) return text
      text = appendValue(`${text}${mark}${key}:`, field, depth)
      mark = ','
    }
    text += mark === '{' ? '{}' : '}'
  }
  return others ? `${appendValue(`${text}[`, others, depth)}]` : text
}
