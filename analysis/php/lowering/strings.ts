// Lowers strings: quoted, interpolated, heredoc and backticks.

import type { Expr } from '../../ir.ts'
import { callExpr, literal, nameExpr, positional, rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, sourceOf } from './context.ts'

/** `'…'`: only the quote and the backslash are escaped. */
export function quotedOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const written = sourceOf(lowering, node).replace(/^b?'|'$/g, '')
  return literal(
    rangeOf(node),
    written.replace(/\\(['\\])/g, (_, sign: string) => sign),
  )
}

/** `"…$x…"` and heredocs: constant parts and values. */
export function interpolatedOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const body = childByField(node, 'value') ?? node
  const parts = piecesOf(lowering, body)
  if (parts.length === 0) return literal(rangeOf(node), plainText(lowering, node, body))
  const [only] = parts
  if (parts.length === 1 && only?.kind === 'literal') return { ...only, at: rangeOf(node) }
  return { kind: 'template', at: rangeOf(node), parts, tag: null }
}

export function nowdocOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const body = childByField(node, 'value')
  return literal(rangeOf(node), body ? sourceOf(lowering, body).replace(/^\n|\n$/g, '') : '')
}

/** Backticks run their content like `shell_exec`. */
export function commandOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  return callExpr(at, nameExpr(at, 'shell_exec'), [positional(interpolatedOf(lowering, node))])
}

const plainText = (lowering: LoweringContext, node: SyntaxNode, body: SyntaxNode): string =>
  body === node ? decoded(sourceOf(lowering, node).replace(/^b?["`]|["`]$/g, '')) : ''

/**
 * Constant parts are taken from the source text, because the parser drops line breaks at the edges of its
 * nodes.
 */
function piecesOf(lowering: LoweringContext, body: SyntaxNode): Expr[] {
  const values = namedChildren(body).filter(({ type }) => !TEXT.has(type))
  if (values.length === 0 && namedChildren(body).length === 0) return []
  const isHere = body.type === 'heredoc_body'
  // A heredoc starts on the line after its name.
  const start = isHere ? body.start + (lowering.tree.text[body.start] === '\n' ? 1 : 0) : body.start + 1
  const end = isHere ? body.end : body.end - 1
  const pieces: Expr[] = []
  let from = start
  const addText = (to: number) => {
    const text = decoded(lowering.tree.text.slice(from, to))
    if (text !== '') pieces.push(literal({ ...rangeOf(body), start: from, end: to }, text))
  }
  for (const value of values) {
    const opensAt = openingOf(lowering.tree.text, value)
    addText(opensAt)
    pieces.push(lowering.expression(value))
    from = opensAt < value.start && lowering.tree.text[value.end] === '}' ? value.end + 1 : value.end
  }
  addText(end)
  return pieces
}

const TEXT = new Set(['string_content', 'escape_sequence', 'string_value'])

/** The start of an interpolation, before the brace of `{$x}`. */
function openingOf(text: string, value: SyntaxNode): number {
  return text[value.start - 1] === '{' ? value.start - 1 : value.start
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  v: '\v',
  f: '\f',
  e: '\x1b',
  '\\': '\\',
  $: '$',
  '"': '"',
}

const ESCAPE = /\\(u\{[\da-fA-F]{1,6}\}|x[\da-fA-F]{1,2}|[0-7]{1,3}|[\s\S])/g

function decoded(written: string): string {
  return written.replace(ESCAPE, (whole, sign: string) => {
    const hex = /^(?:u\{|x)([\da-fA-F]+)/.exec(sign)?.[1]
    const code = hex ? Number.parseInt(hex, 16) : /^[0-7]/.test(sign) ? Number.parseInt(sign, 8) : -1
    if (code < 0) return SIMPLE[sign] ?? whole
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}
