// Lowers parameters.

import type { Annotation, Expr, Parameter } from '../../ir.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type Lowering, name, placeOf, sourceOf } from './context.ts'
import { target } from './targets.ts'

type LowerExpression = (from: Lowering, node: SyntaxNode | undefined) => Expr

export function parameters(
  from: Lowering,
  node: SyntaxNode | undefined,
  lower: LowerExpression,
): Parameter[] {
  const taken = node ? namedChildren(node).filter(({ type }) => !type.endsWith('_separator')) : []
  return taken.map((each) => parameter(from, each, lower))
}

/** `**options` collects the remaining named arguments. */
export const ENTRIES: Annotation = { name: '**', args: [] }

function parameter(from: Lowering, node: SyntaxNode, lower: LowerExpression): Parameter {
  const named =
    childByField(node, 'name') ?? (node.type === 'typed_parameter' ? namedChildren(node)[0] : node) ?? node
  const type = childByField(node, 'type')
  const value = childByField(node, 'value')
  const isEntries = named.type === 'dictionary_splat_pattern'
  const isRest = isEntries || named.type === 'list_splat_pattern'
  const inner = isRest ? namedChildren(named)[0] : named
  return {
    target:
      inner?.type === 'identifier' ? name(placeOf(inner), sourceOf(from, inner)) : target(from, inner, lower),
    default: value ? lower(from, value) : null,
    type: type ? typeText(sourceOf(from, type)) : null,
    isRest,
    annotations: isEntries ? [ENTRIES] : [],
  }
}

/** A quoted type such as `'Request'` is the same type. */
export const typeText = (written: string): string => written.replace(/^(['"])(.*)\1$/s, '$2')
