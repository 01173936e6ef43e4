// Lowers assignment targets and loop variables.

import type { Argument, Expr } from '../../ir.ts'
import { namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { argument, type LoweringContext, rangeOf } from './context.ts'

type LowerExpression = (lowering: LoweringContext, node: SyntaxNode | undefined) => Expr

export function target(
  lowering: LoweringContext,
  node: SyntaxNode | undefined,
  lower: LowerExpression,
): Expr {
  if (!node) return lower(lowering, node)
  if (PATTERNS.has(node.type)) {
    const items = namedChildren(node).map((part): Argument => argument(target(lowering, part, lower)))
    return { kind: 'list', at: rangeOf(node), items }
  }
  const [inner] = namedChildren(node)
  if (node.type === 'list_splat_pattern' || node.type === 'list_splat')
    return { kind: 'rest', at: rangeOf(node), target: target(lowering, inner, lower) }
  if (WRAPPED.has(node.type)) return target(lowering, inner, lower)
  return lower(lowering, node)
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
