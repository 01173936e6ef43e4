// Reads a function that is a short list of returns under conditions, and follows it.
import { closingOf } from '../coding/brackets.ts'
import type { FunctionSpan } from '../coding/functions.ts'
import type { Language, Value } from '../known/known.ts'
import { evaluate, type Known } from './expression.ts'

/** An expression of the file, by where it stands. */
export type Place = { readonly start: number; readonly end: number }

export type Step = {
  readonly kind: 'return' | 'throw' | 'bind'
  readonly condition: Place | undefined
  readonly value: Place
  /** What a `bind` gives a value to. */
  readonly name: string
}

const STEPS_MAX = 12

/** Undefined when the body does anything else. */
export function stepsOf(text: string, span: FunctionSpan, language: Language): readonly Step[] | undefined {
  if (span.kind === 'expression')
    return [
      { kind: 'return', condition: undefined, value: { start: span.bodyStart, end: span.bodyEnd }, name: '' },
    ]
  const steps: Step[] = []
  const read = language === 'py' ? pythonStep : scriptStep
  let at = span.bodyStart
  while (text.slice(at, span.bodyEnd).trim() !== '') {
    const found = steps.length < STEPS_MAX ? read(text.slice(0, span.bodyEnd), at, language) : undefined
    if (found === undefined) return undefined
    steps.push(found.step)
    at = found.next
  }
  return steps
}

/** What comes out for these arguments. `text` may be a changed file as long as the places are those of its steps. */
export function follow(
  read: (place: Place) => string,
  steps: readonly Step[],
  known: Known,
  isPython: boolean,
): { readonly value: Value } | undefined {
  const names = new Map(known)
  for (const { kind, condition, value, name } of steps) {
    const met = condition === undefined ? { value: true } : evaluate(read(condition), names, isPython)
    if (met === undefined) return undefined
    if (!met.value) continue
    const result = kind === 'throw' ? undefined : evaluate(read(value), names, isPython)
    if (result === undefined || kind === 'return') return result
    names.set(name, result.value)
  }
  return { value: null }
}

type Found = { readonly step: Step; readonly next: number }

function scriptStep(text: string, from: number, language: Language): Found | undefined {
  const at = from + (/^(?:\s|\}|\/\/[^\n]*\n)*/.exec(text.slice(from))?.[0].length ?? 0)
  const opening = /^(?:else\s+)?if\s*\(/.exec(text.slice(at))
  let condition: Place | undefined
  let inner = at
  if (opening !== null) {
    const open = at + opening[0].length - 1
    const close = closingOf(text, open, language)
    if (close === undefined) return undefined
    condition = { start: open + 1, end: close }
    inner = close + 1
  }
  const rest = text.slice(inner)
  const [head, kind] = /^(?:\s*(?:else\s*)?\{?\s*)(return|throw)\b[ \t]*/.exec(rest) ?? []
  if (head !== undefined && kind !== undefined)
    return ended(text, inner + head.length, kind as Step['kind'], condition)
  const [bound, name] = /^(?:const|let|var)\s+([\w$]+)(?:\s*:\s*\w+)?\s*=\s*/.exec(rest) ?? []
  if (bound === undefined || opening !== null) return undefined
  return ended(text, inner + bound.length, 'bind', undefined, name)
}

function pythonStep(text: string, from: number): Found | undefined {
  const skipped = /^(?:\s|#[^\n]*\n|"""[\s\S]*?""")*/.exec(text.slice(from))?.[0].length ?? 0
  const rest = text.slice(from + skipped)
  const [, lead = '', tested] = /^((?:el)?if\s+)([^\n]*?):[ \t]*(?=\n|return|raise)/.exec(rest) ?? []
  const start = from + skipped + lead.length
  const condition = tested === undefined ? undefined : { start, end: start + tested.length }
  const inner = tested === undefined ? from + skipped : start + tested.length + 1
  const [head, word] = /^\s*(?:else:\s*)?(return|raise)\b[ \t]*/.exec(text.slice(inner)) ?? []
  if (head !== undefined)
    return ended(text, inner + head.length, word === 'raise' ? 'throw' : 'return', condition)
  const [bound, name] = /^(\w+)[ \t]*=[ \t]*(?!=)/.exec(text.slice(inner)) ?? []
  if (bound === undefined || condition !== undefined) return undefined
  return ended(text, inner + bound.length, 'bind', undefined, name)
}

function ended(
  text: string,
  start: number,
  kind: Step['kind'],
  condition: Place | undefined,
  name = '',
): Found {
  const length = /^[^;\n]*?(?=\s*(?:;|\n|\}|$|[ \t]#|[ \t]\/\/))/.exec(text.slice(start))?.[0].length ?? 0
  const end = start + length
  return { step: { kind, condition, value: { start, end }, name }, next: text[end] === ';' ? end + 1 : end }
}
