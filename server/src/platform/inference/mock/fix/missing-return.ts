// Repairs a function that works its result out and forgets to return it.
import { findFunction } from '../coding/functions.ts'
import type { Language } from '../known/known.ts'

/** Undefined when it returns something, or its last line is no result. */
export function withReturn(text: string, name: string, language: Language): string | undefined {
  const span = findFunction(text, name, language)
  if (span === undefined || span.kind !== 'block') return undefined
  const body = text.slice(span.bodyStart, span.bodyEnd)
  if (/\b(return|yield|throw|raise)\b/.test(body)) return undefined
  const found = /(?:^|\n|\{)([ \t]*)([^\s][^\n]*?)\s*$/.exec(body)
  const [, indent = '', last = ''] = found ?? []
  const at = span.bodyStart + body.trimEnd().length - last.trimEnd().length
  if (found === null || /^(\}|\/\/|#|\/\*|pass\b|if\b|for\b|while\b|else\b)/.test(last)) return undefined

  const assigned = /^(?:(?:const|let|var)\s+)?([\w$]+)(?:\s*:\s*\w+)?\s*(?:[-+*/%]|\*\*)?=(?![=>])/.exec(
    last,
  )?.[1]
  if (assigned === undefined) return `${text.slice(0, at)}return ${text.slice(at)}`
  const end = at + last.length
  return `${text.slice(0, end)}\n${indent}return ${assigned}${last.endsWith(';') ? ';' : ''}${text.slice(end)}`
}
