// Gives a function that everybody knows the body that everybody knows, under its own name and parameters.
import { findFunction } from '../coding/functions.ts'
import { withImports } from '../coding/insert.ts'
import { inStyleOf } from '../coding/language.ts'
import { knownByName, type Language, writeKnown } from '../known/known.ts'

/** Undefined when it is not known, takes something else, or has that body already. */
export function withKnownBody(text: string, name: string, language: Language): string | undefined {
  const known = knownByName(name)
  const span = findFunction(text, name, language)
  const written = known === undefined ? undefined : writeKnown(known, language, name)
  if (span === undefined || written === undefined || span.kind !== 'block') return undefined
  const own = findFunction(written.code, name, language)
  if (own === undefined || own.params.length !== span.params.length) return undefined

  const styled = inStyleOf(text, written.code, language)
  const fresh = findFunction(styled, name, language)
  if (fresh === undefined) return undefined
  const renamed = own.params.reduce(
    (body, param, i) => body.replaceAll(new RegExp(`(?<![\\w$.'"])${param}\\b`, 'g'), `\u0000${i}\u0000`),
    styled.slice(fresh.bodyStart, fresh.bodyEnd),
  )
  const body = renamed
    .replaceAll(/\0(\d+)\0/g, (_, i: string) => span.params[Number(i)] ?? '')
    .replaceAll(/\n(?=.)/g, `\n${span.indent}`)
  const before = text.slice(span.bodyStart, span.bodyEnd)
  if (plain(before) === plain(body)) return undefined
  const lead = language === 'py' ? span.indent : ''
  const changed = text.slice(0, span.bodyStart) + lead + body + text.slice(span.bodyEnd)
  return language === 'py' ? withImports(changed, written.imports) : changed
}

const plain = (body: string): string => body.replaceAll(/[\s;]+/g, '').replaceAll('"', "'")
