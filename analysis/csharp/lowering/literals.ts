// Lowers literals and strings.

import type { Expr, Primitive } from '../../ir.ts'
import { literal, rangeOf } from '../../ir-builders.ts'
import { namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, text } from './context.ts'

/** Undefined if the node is not a literal. */
export function literalOf(type: string, source: string): Primitive | undefined {
  switch (type) {
    case 'string_literal':
      return unescaped(source.replace(/u8$/i, '').slice(1, -1))
    case 'verbatim_string_literal':
      return source.slice(2, -1).replaceAll('""', '"')
    case 'raw_string_literal':
      return rawText(source)
    case 'character_literal':
      return unescaped(source.slice(1, -1))
    case 'boolean_literal':
      return source === 'true'
    case 'null_literal':
      return null
    case 'integer_literal':
    case 'real_literal':
      return numberOf(source)
    default:
      return undefined
  }
}

function numberOf(source: string): number | undefined {
  const digits = source.replaceAll('_', '')
  const value = Number(
    /^0[xb]/i.test(digits) ? digits.replace(/[ul]+$/i, '') : digits.replace(/[uldfm]+$/i, ''),
  )
  return Number.isNaN(value) ? undefined : value
}

const NAMED: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\x1b',
}

const unescaped = (source: string): string =>
  source.replace(
    /\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|x([0-9a-f]{1,4})|([\s\S]))/gi,
    (_, short, long, hex, other: string) => {
      const code = short ?? long ?? hex
      if (code === undefined) return other === '0' ? '\0' : (NAMED[other] ?? other)
      const point = Number.parseInt(code, 16)
      return point > 0x10ffff ? '' : String.fromCodePoint(point)
    },
  )

/** Removes the indentation of the closing quotes. */
function rawText(source: string): string {
  const quotes = /^"+/.exec(source)?.[0].length ?? 3
  const inside = source.slice(quotes, -quotes)
  const lines = inside.split(/\r?\n/)
  if (lines.length < 2) return inside
  const margin = lines.at(-1)?.length ?? 0
  return lines
    .slice(1, -1)
    .map((line) => line.slice(margin))
    .join('\n')
}

/** `$"…{x}…"`: constant parts and values. */
export function interpolated(lowering: LoweringContext, node: SyntaxNode): Expr {
  const start = node.children.find(({ type }) => type === 'interpolation_start')
  const written = start ? text(lowering, start) : '$'
  const isVerbatim = written.includes('@') || node.children.some(({ type }) => type === 'interpolation_quote')
  const parts = namedChildren(node).flatMap((part): Expr[] => {
    const at = rangeOf(part)
    if (part.type === 'interpolation') {
      const [value] = namedChildren(part).filter(({ type }) => !type.startsWith('interpolation_'))
      return value ? [lowering.visit.expression(lowering, value)] : []
    }
    if (part.type !== 'string_content' && part.type !== 'escape_sequence') return []
    const content = text(lowering, part)
    const plain = isVerbatim ? content.replaceAll('""', '"') : unescaped(content)
    return [literal(at, plain.replaceAll('{{', '{').replaceAll('}}', '}'))]
  })
  return { at: rangeOf(node), kind: 'template', parts, tag: null }
}
