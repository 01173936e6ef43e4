// Annotations with their arguments.

import type { Argument, Mark } from '../ir.ts'
import { childOf, partsOf, type SyntaxNode } from '../syntax/tree.ts'
import { type Lowering, text } from './lowering.ts'

export function marks(lowering: Lowering, node: SyntaxNode): Mark[] {
  const modifiers = node.children.find(({ type }) => type === 'modifiers')
  return (modifiers ? partsOf(modifiers) : [])
    .filter(({ type }) => type === 'annotation' || type === 'marker_annotation')
    .map((annotation) => markFrom(lowering, annotation))
}

/** Without its package: annotations are told apart by their own name. */
function markFrom(lowering: Lowering, annotation: SyntaxNode): Mark {
  const written = text(lowering, childOf(annotation, 'name') ?? annotation)
  const args = childOf(annotation, 'arguments')
  return {
    name: written.replace(/^.*\./, ''),
    args: args ? partsOf(args).map((part) => argumentFrom(lowering, part)) : [],
  }
}

function argumentFrom(lowering: Lowering, part: SyntaxNode): Argument {
  const [key, value] = [childOf(part, 'key'), childOf(part, 'value')]
  const isNamed = part.type === 'element_value_pair' && key && value
  return {
    name: isNamed ? text(lowering, key) : null,
    isSpread: false,
    value: lowering.visit.expression(lowering, isNamed ? value : part),
  }
}
