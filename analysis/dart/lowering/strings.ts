// Lowers strings: adjacent, raw, multi-line and interpolated.

import type { Expr } from '../../ir.ts'
import { literal, nameExpr, rangeOf } from '../../ir-builders.ts'
import type { SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, partsOf, sourceOf } from './context.ts'

const OPEN = /^(r?)("""|'''|"|')/

export function stringOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const parts: Expr[] = []
  const addText = (text: string) => {
    const last = parts.at(-1)
    if (last?.kind === 'literal') parts[parts.length - 1] = { ...last, value: `${last.value}${text}` }
    else if (text !== '') parts.push(literal(rangeOf(node), text))
  }
  const holes = partsOf(node.children).filter(({ type }) => type === 'template_substitution')
  const { text } = lowering.tree
  let at = node.start
  while (at < node.end) {
    const [opening, raw, quote = '"'] = OPEN.exec(text.slice(at, at + 4)) ?? []
    if (opening === undefined) {
      at += 1
      continue
    }
    at += opening.length
    at = readText(at, quote, raw === 'r')
  }
  const [only] = parts
  if (!only) return literal(rangeOf(node), '')
  return parts.length === 1 && only.kind === 'literal'
    ? { ...only, at: rangeOf(node) }
    : { kind: 'template', at: rangeOf(node), parts, tag: null }

  function readText(from: number, quote: string, isRaw: boolean): number {
    let start = from
    let position = from
    while (position < node.end && !text.startsWith(quote, position)) {
      const hole = isRaw ? undefined : holes.find((each) => each.start === position)
      if (hole) {
        addText(decoded(text.slice(start, position)))
        parts.push(holeOf(lowering, hole))
        position = hole.end
        start = position
      } else position += !isRaw && text[position] === '\\' ? 2 : 1
    }
    const written = text.slice(start, Math.min(position, node.end))
    addText(isRaw ? written : decoded(written))
    return position + quote.length
  }
}

/** `$name` or `${expression}`. */
function holeOf(lowering: LoweringContext, hole: SyntaxNode): Expr {
  const inside = partsOf(hole.children)
  const [only] = inside
  return only?.type === 'identifier_dollar_escaped'
    ? nameExpr(rangeOf(only), sourceOf(lowering, only).replace(/^\$/, ''))
    : lowering.sequence(lowering, inside)
}

const SIMPLE: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }

const decoded = (written: string): string =>
  written.replace(/\\(u\{[\da-fA-F]{1,6}\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|[\s\S])/g, (_, sign: string) => {
    const hex = /^(?:u\{?|x)([\da-fA-F]+)/.exec(sign)?.[1]
    if (!hex) return SIMPLE[sign] ?? sign
    const code = Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
