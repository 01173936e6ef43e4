// Lowers JSX: attributes become entries, nested content becomes children.

import type { Entry, Expr } from '../../ir.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, literal, rangeOf, sourceOf } from './context.ts'

export function lowerElement(lowering: LoweringContext, node: SyntaxNode): Expr {
  const tag = node.type === 'jsx_self_closing_element' ? node : (childByField(node, 'open_tag') ?? node)
  const name = childByField(tag, 'name')
  return {
    kind: 'element',
    at: rangeOf(node),
    name: name ? sourceOf(lowering, name) : '',
    entries: childrenByField(tag, 'attribute').flatMap((each) => attribute(lowering, each)),
    children: node === tag ? [] : namedChildren(node).flatMap((each) => child(lowering, each)),
  }
}

function attribute(lowering: LoweringContext, node: SyntaxNode): Entry[] {
  if (node.type === 'jsx_expression') {
    const spread = namedChildren(node)[0]
    const inner = spread && (namedChildren(spread)[0] ?? spread)
    return inner ? [{ key: null, value: lowering.expression(inner) }] : []
  }
  const [name, value] = namedChildren(node)
  if (!name) return []
  const inner = value?.type === 'jsx_expression' ? namedChildren(value)[0] : value
  return [
    {
      key: literal(name, sourceOf(lowering, name)),
      value: inner ? lowering.expression(inner, sourceOf(lowering, name)) : literal(name, true),
    },
  ]
}

function child(lowering: LoweringContext, node: SyntaxNode): Expr[] {
  switch (node.type) {
    case 'jsx_text':
      return [literal(node, sourceOf(lowering, node))]
    case 'jsx_expression':
      return namedChildren(node).map((inner) => lowering.expression(inner))
    case 'jsx_element':
    case 'jsx_self_closing_element':
      return [lowerElement(lowering, node)]
    default:
      return []
  }
}
