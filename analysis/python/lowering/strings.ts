// String literals: escapes, `%` and `{}` placeholders.

import type { Expr } from '../../ir.ts'
import type { SourceRange } from '../../syntax/tree.ts'
import { literal } from './context.ts'

/** The value of a string literal. `prefix` is written before the quotes: `r`, `rb`, `f`. */
export function contentOf(content: string, prefix: string): string {
  const braces = /f/i.test(prefix) ? content.replace(/\{\{|\}\}/g, (pair) => pair.charAt(0)) : content
  if (/r/i.test(prefix)) return braces
  return braces.replace(ESCAPE, (whole, escaped: string) => {
    const code = /^(?:x|u|U)/.test(escaped)
      ? Number.parseInt(escaped.slice(1), 16)
      : Number.parseInt(escaped, 8)
    if (Number.isNaN(code)) return SIMPLE[escaped] ?? whole
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}

/** A concatenation. Adjacent constant parts are merged, and a single part is a literal. */
export function concatenation(at: SourceRange, parts: readonly Expr[]): Expr {
  const merged: Expr[] = []
  for (const part of parts.flatMap(flat)) {
    const last = merged.at(-1)
    if (isText(part) && part.value === '') continue
    if (isText(last) && isText(part)) merged[merged.length - 1] = literal(last.at, last.value + part.value)
    else merged.push(part)
  }
  const [only] = merged
  if (merged.length === 0) return literal(at, '')
  if (merged.length === 1 && isText(only)) return literal(at, only.value)
  return { kind: 'template', at, parts: merged, tag: null }
}

/** A part of a format string: constant text, or a placeholder by name, by number or by position. */
export type Piece =
  | { readonly text: string }
  | { readonly key: string | null; readonly path: string; readonly isNumber: boolean }

/** `'%s and %(name)d'`. Null if the format is not supported. */
export function percentPieces(format: string): Piece[] | null {
  const pieces: Piece[] = []
  let lowering = 0
  for (const { 0: whole, 1: key, 2: kind, index } of format.matchAll(PERCENT)) {
    pieces.push({ text: format.slice(lowering, index) })
    lowering = index + whole.length
    if (whole.includes('*')) return null
    if (kind === '%') pieces.push({ text: '%' })
    else pieces.push({ key: key ?? null, path: '', isNumber: !/[srac]/.test(kind ?? 's') })
  }
  return [...pieces, { text: format.slice(lowering) }]
}

/** `'{} and {name.part[0]:d}'`. Null if the format is not supported. */
export function bracePieces(format: string): Piece[] | null {
  const pieces: Piece[] = []
  let lowering = 0
  for (const { 0: whole, 1: field, index } of format.matchAll(BRACES)) {
    pieces.push({ text: format.slice(lowering, index) })
    lowering = index + whole.length
    if (field === undefined) pieces.push({ text: whole.charAt(0) })
    else pieces.push(fieldPiece(field))
  }
  return [...pieces, { text: format.slice(lowering) }]
}

function fieldPiece(field: string): Piece {
  const [, key = '', path = '', spec = ''] = /^([^.[!:]*)([^!:]*)(?:![rsa])?(?::(.*))?$/s.exec(field) ?? []
  return { key: key === '' ? null : key, path, isNumber: isNumberSpec(spec) }
}

/** Whether a format accepts only numbers: `05d`, `,.2f`. */
export const isNumberSpec = (spec: string): boolean => /[bdoxXneEfFgG%]$/.test(spec.trim())

const isText = (expr: Expr | undefined): expr is Extract<Expr, { kind: 'literal' }> & { value: string } =>
  expr?.kind === 'literal' && typeof expr.value === 'string'

const flat = (part: Expr): readonly Expr[] => (part.kind === 'template' && !part.tag ? part.parts : [part])

const ESCAPE = /\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|[\s\S])/g
const PERCENT = /%(?:\(([^)]*)\))?[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?[hlL]?([diouxXeEfFgGcrsa%])/g
const BRACES = /\{\{|\}\}|\{([^{}]*)\}/g
const SIMPLE: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
