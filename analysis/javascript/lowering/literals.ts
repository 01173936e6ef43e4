// Lowers numbers, strings and templates.

import type { Expr } from '../../ir.ts'
import { namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, literal, rangeOf, sourceOf } from './context.ts'

/** The value of a string literal, a key or a module name. */
export function stringOf(lowering: LoweringContext, node: SyntaxNode): string {
  let text = ''
  for (const part of node.children) if (part.isNamed) text += fragment(lowering, part)
  return text
}

export function lowerTemplate(lowering: LoweringContext, node: SyntaxNode, tag: Expr | null): Expr {
  const parts: Expr[] = []
  let text = ''
  let textAt: SyntaxNode | undefined
  const flush = () => {
    if (textAt && text !== '') parts.push(literal(textAt, text))
    text = ''
    textAt = undefined
  }
  for (const part of node.children) {
    if (part.type === 'template_substitution') {
      flush()
      const inner = namedChildren(part)[0]
      if (inner) parts.push(lowering.expression(inner))
    } else if (part.isNamed) {
      textAt ??= part
      text += fragment(lowering, part)
    }
  }
  flush()
  return { kind: 'template', at: rangeOf(node), parts, tag }
}

/** BigInt literals are read as numbers. The lost precision does not matter here. */
export function numberOf(source: string): number | null {
  const plain = source.replaceAll('_', '').replace(/n$/, '')
  const value = Number(/^0[0-7]+$/.test(plain) ? `0o${plain.slice(1)}` : plain)
  return Number.isNaN(value) ? null : value
}

function fragment(lowering: LoweringContext, part: SyntaxNode): string {
  const source = sourceOf(lowering, part)
  if (part.type === 'escape_sequence') return decodeEscape(source)
  return part.type === 'html_character_reference' ? (ENTITIES[source] ?? source) : source
}

function decodeEscape(source: string): string {
  const code = /^\\(?:x|u\{?)([0-9a-fA-F]+)\}?$/.exec(source)?.[1]
  if (code) return codePoint(Number.parseInt(code, 16))
  const simple = source.slice(1)
  if (/^(\r?\n|\r)$/.test(simple)) return ''
  return ESCAPES[simple] ?? simple
}

const codePoint = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '')

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': '\u00a0',
}
