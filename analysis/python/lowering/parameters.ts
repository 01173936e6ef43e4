// Lowers parameters.

import type { Annotation, Expr, Parameter } from '../../ir.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, nameExpr, rangeOf, sourceOf } from './context.ts'
import { target } from './variables.ts'

type LowerExpression = (lowering: LoweringContext, node: SyntaxNode | undefined) => Expr

export function parameters(
  lowering: LoweringContext,
  node: SyntaxNode | undefined,
  lower: LowerExpression,
): Parameter[] {
  const taken = node ? namedChildren(node).filter(({ type }) => !type.endsWith('_separator')) : []
  return taken.map((each) => parameter(lowering, each, lower))
}

/** `**options` collects the remaining named arguments. */
export const KEYWORD_ARGUMENTS: Annotation = { name: '**', args: [] }

function parameter(lowering: LoweringContext, node: SyntaxNode, lower: LowerExpression): Parameter {
  const named =
    childByField(node, 'name') ?? (node.type === 'typed_parameter' ? namedChildren(node)[0] : node) ?? node
  const type = childByField(node, 'type')
  const value = childByField(node, 'value')
  const isEntries = named.type === 'dictionary_splat_pattern'
  const isRest = isEntries || named.type === 'list_splat_pattern'
  const inner = isRest ? namedChildren(named)[0] : named
  return {
    target:
      inner?.type === 'identifier'
        ? nameExpr(rangeOf(inner), sourceOf(lowering, inner))
        : target(lowering, inner, lower),
    default: value ? lower(lowering, value) : null,
    type: type ? typeText(sourceOf(lowering, type)) : null,
    isRest,
    annotations: isEntries ? [KEYWORD_ARGUMENTS] : [],
  }
}

/** A quoted type such as `'Request'` is the same type. */
export const typeText = (written: string): string => written.replace(/^(['"])(.*)\1$/s, '$2')
