// Lowers literals and string templates.

import type { Expr, Primitive } from '../../ir.ts'
import { literal, nameExpr, rangeOf } from '../../ir-builders.ts'
import { namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, text } from './context.ts'

/** Undefined if the node is not a literal. */
export function literalOf(type: string, source: string): Primitive | undefined {
  switch (type) {
    case 'number_literal':
    case 'float_literal':
      return numberOf(source)
    case 'character_literal':
      return unescaped(source.slice(1, -1))
    case 'identifier':
      return WORDS.get(source)
    default:
      return undefined
  }
}

const WORDS = new Map<string, Primitive>([
  ['true', true],
  ['false', false],
  ['null', null],
])

function numberOf(source: string): number | undefined {
  const digits = source.replaceAll('_', '')
  const value = Number(
    /^0[xb]/i.test(digits) ? digits.replace(/[ul]+$/i, '') : digits.replace(/[ulf]+$/i, ''),
  )
  return Number.isNaN(value) ? undefined : value
}

const NAMED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b' }

const unescaped = (source: string): string =>
  source.replace(/\\(?:u([0-9a-f]{4})|([\s\S]))/gi, (_, unicode, other: string) =>
    unicode ? String.fromCharCode(Number.parseInt(unicode, 16)) : (NAMED[other] ?? other),
  )

type Piece = string | { readonly at: Expr['at']; readonly value: Expr }

/** The parser reads the name in `"$name"` as text after a `$`. */
export function stringExpr(lowering: LoweringContext, node: SyntaxNode): Expr {
  const pieces: Piece[] = []
  let isName = false
  for (const part of namedChildren(node)) {
    const written = text(lowering, part)
    if (part.type === 'interpolation') {
      const [value] = namedChildren(part)
      if (value) pieces.push({ at: rangeOf(part), value: lowering.visit.expression(lowering, value) })
    } else if (part.type === 'escape_sequence') pieces.push(unescaped(written))
    else if (part.type === 'string_content' && written === '$') {
      isName = true
      continue
    } else if (part.type === 'string_content') pieces.push(...contentPieces(part, written, isName))
    isName = false
  }
  if (isName) pieces.push('$')
  const at = rangeOf(node)
  if (pieces.every((piece) => typeof piece === 'string')) return literal(at, pieces.join(''))
  const parts = pieces.map((piece) => (typeof piece === 'string' ? literal(at, piece) : piece.value))
  return { at, kind: 'template', parts, tag: null }
}

function contentPieces(part: SyntaxNode, written: string, isName: boolean): Piece[] {
  const name = isName ? /^[A-Za-z_]\w*/.exec(written)?.[0] : undefined
  if (name === undefined) return [isName ? `$${written}` : written]
  const at = { ...rangeOf(part), end: part.start + name.length }
  const value = name === 'this' ? nameExpr(at, 'this') : nameExpr(at, name)
  return [{ at, value }, written.slice(name.length)]
}
