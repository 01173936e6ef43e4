// Lowers assignment targets: names, members and destructuring patterns.

import type { Argument, Entry, Expr } from '../../ir.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, literal, nameExpr, otherExpr, rangeOf, sourceOf } from './context.ts'
import { stringOf } from './literals.ts'

export function lowerTarget(lowering: LoweringContext, node: SyntaxNode): Expr {
  switch (node.type) {
    case 'object_pattern':
    case 'object':
      return {
        kind: 'map',
        at: rangeOf(node),
        entries: namedChildren(node).flatMap((part) => entry(lowering, part)),
      }
    case 'array_pattern':
    case 'array':
      return { kind: 'list', at: rangeOf(node), items: items(lowering, node) }
    case 'assignment_pattern':
    case 'object_assignment_pattern':
    case 'assignment_expression':
      return withDefault(lowering, node)
    case 'rest_pattern':
    case 'spread_element':
      return { kind: 'rest', at: rangeOf(node), target: firstTarget(lowering, node) }
    case 'shorthand_property_identifier_pattern':
    case 'shorthand_property_identifier':
      return nameExpr(node, sourceOf(lowering, node))
    case 'parenthesized_expression':
    case 'non_null_expression':
    case 'as_expression':
      return firstTarget(lowering, node)
    default:
      return lowering.expression(node)
  }
}

/** The key of an entry, member or method. */
export function keyOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  switch (node.type) {
    case 'string':
      return literal(node, stringOf(lowering, node))
    case 'number':
      return literal(node, String(Number(sourceOf(lowering, node))))
    case 'computed_property_name': {
      const inner = namedChildren(node)[0]
      return inner ? lowering.expression(inner) : otherExpr(node, [])
    }
    default:
      return literal(node, sourceOf(lowering, node))
  }
}

function entry(lowering: LoweringContext, node: SyntaxNode): Entry[] {
  switch (node.type) {
    case 'shorthand_property_identifier_pattern':
    case 'shorthand_property_identifier': {
      const name = sourceOf(lowering, node)
      return [{ key: literal(node, name), value: nameExpr(node, name) }]
    }
    case 'object_assignment_pattern': {
      const left = childByField(node, 'left')
      return left
        ? [{ key: literal(left, sourceOf(lowering, left)), value: withDefault(lowering, node) }]
        : []
    }
    case 'pair_pattern':
    case 'pair': {
      const [key, value] = [childByField(node, 'key'), childByField(node, 'value')]
      return key && value ? [{ key: keyOf(lowering, key), value: lowerTarget(lowering, value) }] : []
    }
    case 'rest_pattern':
    case 'spread_element':
      return [{ key: null, value: lowerTarget(lowering, node) }]
    default:
      return []
  }
}

/** An empty slot skips an item. */
function items(lowering: LoweringContext, node: SyntaxNode): Argument[] {
  const found: Argument[] = []
  let isFilled = false
  for (const child of node.children) {
    if (child.type === ',') {
      if (!isFilled) found.push(item(otherExpr(child, [])))
      isFilled = false
    } else if (child.isNamed && child.type !== 'comment') {
      found.push(item(lowerTarget(lowering, child)))
      isFilled = true
    }
  }
  return found
}

const item = (value: Expr): Argument => ({ name: null, isSpread: false, value })

function withDefault(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [left, right] = [childByField(node, 'left'), childByField(node, 'right')]
  if (!left || !right) return otherExpr(node, [])
  const target = lowerTarget(lowering, left)
  const name = target.kind === 'name' ? target.name : ''
  return { kind: 'default', at: rangeOf(node), target, value: lowering.expression(right, name) }
}

function firstTarget(lowering: LoweringContext, node: SyntaxNode): Expr {
  const inner = namedChildren(node)[0]
  return inner ? lowerTarget(lowering, inner) : otherExpr(node, [])
}
