// Type names, qualified by the imports and without type arguments.

import { withoutJakarta } from '../../java/library-classes.ts'
import type { SyntaxNode } from '../../syntax/tree.ts'
import { namedChildren } from '../../syntax/tree.ts'
import { type LoweringContext, nameText } from './context.ts'

const TYPES = /^(?:user_type|nullable_type|non_nullable_type|parenthesized_type|function_type|dynamic)$/

export const typeNodeOf = (node: SyntaxNode): SyntaxNode | undefined =>
  namedChildren(node).findLast(({ type }) => TYPES.test(type))

/** Null for function types and for no type. */
export function typeName(lowering: LoweringContext, node: SyntaxNode | undefined): string | null {
  if (!node) return null
  if (node.type === 'user_type') {
    const written = namedChildren(node)
      .filter(({ type }) => type === 'identifier')
      .map((part) => nameText(lowering, part))
      .join('.')
    return qualified(lowering, written)
  }
  return /^(?:nullable_type|non_nullable_type|parenthesized_type)$/.test(node.type)
    ? typeName(lowering, typeNodeOf(node))
    : null
}

export function qualified({ imports }: LoweringContext, written: string): string {
  const [head = '', ...rest] = written.split('.')
  const imported = imports.get(head)
  return imported ? [imported, ...rest].join('.') : withoutJakarta(written)
}
