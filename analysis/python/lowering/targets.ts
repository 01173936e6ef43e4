// Lowers assignment targets and loop variables.

import type { Argument, Expr } from '../../ir.ts'
import { namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { argument, type Lowering, placeOf } from './context.ts'

type LowerExpression = (from: Lowering, node: SyntaxNode | undefined) => Expr

export function target(from: Lowering, node: SyntaxNode | undefined, lower: LowerExpression): Expr {
  if (!node) return lower(from, node)
  if (PATTERNS.has(node.type)) {
    const items = namedChildren(node).map((part): Argument => argument(target(from, part, lower)))
    return { kind: 'list', at: placeOf(node), items }
  }
  const [inner] = namedChildren(node)
  if (node.type === 'list_splat_pattern' || node.type === 'list_splat')
    return { kind: 'rest', at: placeOf(node), target: target(from, inner, lower) }
  if (WRAPPED.has(node.type)) return target(from, inner, lower)
  return lower(from, node)
}

/** The names bound by a target. */
export function namesIn(written: Expr): string[] {
  if (written.kind === 'name') return [written.name]
  if (written.kind === 'list') return written.items.flatMap(({ value }) => namesIn(value))
  if (written.kind === 'map') return written.entries.flatMap(({ value }) => namesIn(value))
  if (written.kind === 'rest' || written.kind === 'default') return namesIn(written.target)
  return []
}

const PATTERNS = new Set([
  'pattern_list',
  'tuple_pattern',
  'list_pattern',
  'expression_list',
  'tuple',
  'list',
])
const WRAPPED = new Set(['parenthesized_expression', 'as_pattern_target'])
