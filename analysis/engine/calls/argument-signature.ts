// What a function is called with, as a text: called with the same again it does the same.

import type { Value } from '../../abstract-value.ts'
import type { EvaluatedArgument } from '../../rule.ts'

const DEPTH_MAX = 2
/** What is told beyond this does not count, and is not put together. */
const LENGTH_MAX = 2_000

export function signatureOf(args: readonly EvaluatedArgument[], self: Value | null): string {
  let text = self ? told('', self, DEPTH_MAX) : ''
  text += '('
  for (const [index, { name, isSpread, value }] of args.entries()) {
    if (text.length >= LENGTH_MAX) break
    text += `${index > 0 ? ',' : ''}${name ?? ''}${isSpread ? '…' : ''}`
    text = told(text, value, DEPTH_MAX)
  }
  return `${text})`.slice(0, LENGTH_MAX)
}

/** The text with a value behind it. */
function told(before: string, value: Value, depth: number): string {
  if (before.length >= LENGTH_MAX) return before
  const { known, taints, name, type, callable, pieces } = value
  if (known !== undefined) return before + JSON.stringify(known)
  let text = before + (type ?? name ?? '?')
  for (const { origin, label, cleaned, doubts } of taints)
    text += `!${origin}:${label}:${[...cleaned].sort().join('+')}:${doubts}`
  if (callable) text += `@${callable.definition.at.start}${callable.definition.name}`
  if (pieces) text += `~${pieces.map((piece) => (typeof piece === 'string' ? piece : '$')).join('')}`
  return depth === 0 ? text : toldParts(text, value, depth - 1)
}

function toldParts(before: string, { fields, others }: Value, depth: number): string {
  let text = before
  if (fields) {
    let mark = '{'
    for (const [key, field] of fields) {
      if (text.length >= LENGTH_MAX) return text
      text = told(`${text}${mark}${key}:`, field, depth)
      mark = ','
    }
    text += mark === '{' ? '{}' : '}'
  }
  return others ? `${told(`${text}[`, others, depth)}]` : text
}
