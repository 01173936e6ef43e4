// Lowers annotations with their arguments.

import type { Annotation, Argument } from '../../ir.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, text } from './context.ts'

export function lowerAnnotations(lowering: LoweringContext, node: SyntaxNode): Annotation[] {
  const modifiers = node.children.find(({ type }) => type === 'modifiers')
  return (modifiers ? namedChildren(modifiers) : [])
    .filter(({ type }) => type === 'annotation' || type === 'marker_annotation')
    .map((annotation) => lowerAnnotation(lowering, annotation))
}

/** Without the package, because annotations are recognized by their simple name. */
function lowerAnnotation(lowering: LoweringContext, annotation: SyntaxNode): Annotation {
  const written = text(lowering, childByField(annotation, 'name') ?? annotation)
  const args = childByField(annotation, 'arguments')
  return {
    name: written.replace(/^.*\./, ''),
    args: args ? namedChildren(args).map((part) => argumentFrom(lowering, part)) : [],
  }
}

function argumentFrom(lowering: LoweringContext, part: SyntaxNode): Argument {
  const [key, value] = [childByField(part, 'key'), childByField(part, 'value')]
  const isNamed = part.type === 'element_value_pair' && key && value
  return {
    name: isNamed ? text(lowering, key) : null,
    isSpread: false,
    value: lowering.visit.expression(lowering, isNamed ? value : part),
  }
}
