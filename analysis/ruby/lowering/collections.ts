// Lowers the items of arrays and hashes, and matches of regular expressions.

import type { Argument, Entry, Expr } from '../../ir.ts'
import { callExpr, literal, memberExpr, positional, rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, sourceOf, variableOrCall } from './context.ts'

export function itemsOf(lowering: LoweringContext, node: SyntaxNode): Argument[] {
  const parts = namedChildren(node).filter(({ type }) => type !== 'heredoc_body')
  const pairs = parts.filter(({ type }) => type === 'pair' || type === 'hash_splat_argument')
  const items = parts
    .filter((part) => !pairs.includes(part))
    .map((part) => ({
      ...positional(lowering.expression(lowering, part)),
      isSpread: part.type === 'splat_argument',
    }))
  return pairs.length === 0
    ? items
    : [...items, positional({ kind: 'map', at: rangeOf(node), entries: entriesOf(lowering, pairs) })]
}

export function entriesOf(lowering: LoweringContext, parts: readonly SyntaxNode[]): Entry[] {
  return parts.flatMap((part): Entry[] => {
    if (part.type === 'hash_splat_argument') {
      const [inside] = namedChildren(part)
      return inside ? [{ key: null, value: lowering.expression(lowering, inside) }] : []
    }
    const [key, value] = [childByField(part, 'key'), childByField(part, 'value')]
    if (part.type !== 'pair' || !key) return []
    return [{ key: keyOf(lowering, key), value: resultOf(lowering, key, value) }]
  })
}

const keyOf = (lowering: LoweringContext, key: SyntaxNode): Expr =>
  key.type === 'hash_key_symbol'
    ? literal(rangeOf(key), sourceOf(lowering, key))
    : lowering.expression(lowering, key)

/** `{x:}` is `{x: x}`. */
const resultOf = (lowering: LoweringContext, key: SyntaxNode, value: SyntaxNode | undefined): Expr =>
  value ? lowering.expression(lowering, value) : variableOrCall(lowering, key, sourceOf(lowering, key))

/** `text =~ /…/`, with the text as the receiver. */
export const matchExpr = (at: Expr['at'], left: Expr, right: Expr): Expr =>
  left.kind === 'regex'
    ? callExpr(at, memberExpr(at, right, 'match?'), [positional(left)])
    : callExpr(at, memberExpr(at, left, 'match?'), [positional(right)])
