// Lowers strings, symbols, heredocs, regular expressions and commands.

import type { Expr } from '../../ir.ts'
import { callExpr, literal, nameExpr, otherExpr, positional, rangeOf } from '../../ir-builders.ts'
import { namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, sourceOf } from './context.ts'

/** A string with its interpolations. `node` is a literal or the body of a heredoc. */
export function stringOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const parts = partsOf(lowering, node, isRaw(lowering, node))
  const at = rangeOf(node)
  if (parts.length === 0) return literal(at, '')
  const [only] = parts
  return parts.length === 1 && only?.kind === 'literal'
    ? { ...only, at }
    : { kind: 'template', at, parts, tag: null }
}

function partsOf(lowering: LoweringContext, node: SyntaxNode, raw: boolean): Expr[] {
  const parts: Expr[] = []
  const addText = (part: SyntaxNode, text: string) => {
    const last = parts.at(-1)
    if (last?.kind === 'literal') parts[parts.length - 1] = { ...last, value: `${last.value}${text}` }
    else parts.push(literal(rangeOf(part), text))
  }
  for (const part of namedChildren(node)) {
    if (part.type === 'interpolation') parts.push(interpolationOf(lowering, part))
    else if (part.type === 'escape_sequence') addText(part, decoded(sourceOf(lowering, part), raw))
    else if (part.type !== 'heredoc_end') addText(part, sourceOf(lowering, part))
  }
  return parts
}

function interpolationOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const inside = namedChildren(node)
  const [only] = inside
  if (only && inside.length === 1) return lowering.expression(lowering, only)
  return otherExpr(
    rangeOf(node),
    inside.map((part) => lowering.expression(lowering, part)),
  )
}

const isRaw = (lowering: LoweringContext, node: SyntaxNode): boolean =>
  /^(?:'|%q|%w|%i)/.test(lowering.tree.text.slice(node.start, node.start + 2))

export function heredocOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const body = lowering.heredocs.get(node.start)
  if (!body) return literal(rangeOf(node), '')
  const value = stringOf(lowering, body)
  // The call that receives the text is reported where it begins.
  return { ...value, at: rangeOf(node) }
}

/** `'a' "b"` */
export function chainedOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const parts = namedChildren(node).flatMap((part) => {
    const value = stringOf(lowering, part)
    return value.kind === 'template' ? value.parts : [value]
  })
  return { kind: 'template', at: rangeOf(node), parts, tag: null }
}

/** `%w[a b]` and `%i[a b]`. */
export const wordsOf = (lowering: LoweringContext, node: SyntaxNode): Expr => ({
  kind: 'list',
  at: rangeOf(node),
  items: namedChildren(node).map((part) => positional(stringOf(lowering, part))),
})

export function regexOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const written = sourceOf(lowering, node)
  const isFixed = namedChildren(node).every(({ type }) => type !== 'interpolation')
  const close = Math.max(...['/', '}', ')', ']', '!', '|'].map((end) => written.lastIndexOf(end)))
  const open = written.startsWith('%r') ? 3 : 1
  if (isFixed)
    return { kind: 'regex', at, source: written.slice(open, close), flags: written.slice(close + 1) }
  const source = stringOf(lowering, node)
  return { kind: 'call', at, callee: nameExpr(at, 'Regexp'), args: [positional(source)], isNew: true }
}

/** Backticks and `%x()` run their text in a shell. */
export function subshellOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  return callExpr(at, nameExpr(at, '`'), [positional(stringOf(lowering, node))])
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  s: ' ',
  0: '\0',
  e: '\x1b',
  a: '\x07',
  b: '\b',
  v: '\v',
  f: '\f',
}

function decoded(written: string, raw: boolean): string {
  const sign = written.slice(1)
  if (raw) return sign === "'" || sign === '\\' ? sign : written
  const hex = /^(?:u\{?|x)([\da-fA-F]{1,6})/.exec(sign)?.[1]
  if (hex) {
    const code = Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  }
  return sign.startsWith('\n') ? '' : (SIMPLE[sign] ?? sign)
}
