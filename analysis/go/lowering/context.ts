// The context of a lowering: the tree and the recursive entry points.

import type { Expr, Stmt } from '../../ir.ts'
import { type SyntaxNode, type SyntaxTree, textOf } from '../../syntax/tree.ts'

export type LoweringContext = {
  readonly tree: SyntaxTree
  readonly expression: (node: SyntaxNode) => Expr
  readonly statements: (node: SyntaxNode) => Stmt[]
}

export const sourceOf = ({ tree }: LoweringContext, node: SyntaxNode): string => textOf(tree, node)

/** In Go, a capitalized name is exported. */
export const isCapital = (name: string): boolean => /^\p{Lu}/u.test(name)

/** The value of a string literal. */
export function stringValue(source: string): string {
  if (source.startsWith('`')) return source.slice(1, -1).replaceAll('\r', '')
  return source.slice(1, -1).replace(ESCAPE, (_, written: string) => decoded(written))
}

const ESCAPE = /\\(x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8}|[0-7]{3}|.)/gi

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
}

function decoded(written: string): string {
  const hex = /^[xuU]([\da-fA-F]{2,8})$/.exec(written)?.[1]
  const code = hex ? Number.parseInt(hex, 16) : /^[0-7]{3}$/.test(written) ? Number.parseInt(written, 8) : -1
  if (code < 0) return SIMPLE[written] ?? written
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

export function numberValue(source: string): number | null {
  const plain = source.replaceAll('_', '')
  const value = Number(/^0[0-7]+$/.test(plain) ? `0o${plain.slice(1)}` : plain)
  return Number.isFinite(value) ? value : null
}
