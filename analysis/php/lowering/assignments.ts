// Lowers assignments, arrays and destructuring.

import type { Argument, Entry, Expr } from '../../ir.ts'
import { literal, otherExpr, positional, rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, sourceOf } from './context.ts'

export function assignmentOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [left, right] = [childByField(node, 'left'), childByField(node, 'right')]
  const at = rangeOf(node)
  return {
    kind: 'assign',
    at,
    target: left ? targetOf(lowering, left) : otherExpr(at),
    operator: null,
    value: right ? lowering.expression(right) : otherExpr(at),
  }
}

export function augmentedOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [left, operator, right] = ['left', 'operator', 'right'].map((field) => childByField(node, field))
  const at = rangeOf(node)
  const written = operator ? sourceOf(lowering, operator).slice(0, -1) : ''
  const target = left ? targetOf(lowering, left) : otherExpr(at)
  const value = right ? lowering.expression(right) : otherExpr(at)
  if (written !== '+') return { kind: 'assign', at, target, operator: written === '.' ? '+' : written, value }
  const sum: Expr = { kind: 'binary', at, operator: '+', left: target, right: value }
  return {
    kind: 'assign',
    at,
    target,
    operator: null,
    value: { kind: 'cast', at, type: 'number', value: sum },
  }
}

export function updateOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [target, operator] = [childByField(node, 'argument'), childByField(node, 'operator')]
  const at = rangeOf(node)
  return {
    kind: 'assign',
    at,
    target: target ? lowering.expression(target) : otherExpr(at),
    operator: operator && sourceOf(lowering, operator).startsWith('-') ? '-' : '+',
    value: literal(at, 1),
  }
}

/** A target may be a list, written like an array. */
export function targetOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  if (node.type === 'by_ref') {
    const [inside] = namedChildren(node)
    return inside ? targetOf(lowering, inside) : otherExpr(rangeOf(node))
  }
  if (node.type !== 'list_literal' && node.type !== 'array_creation_expression')
    return lowering.expression(node)
  const slots = slotsOf(node)
  const at = rangeOf(node)
  if (slots.some(({ key }) => key))
    return {
      kind: 'map',
      at,
      entries: slots.flatMap(({ key, value }) =>
        key && value ? [{ key: lowering.expression(key), value: targetOf(lowering, value) }] : [],
      ),
    }
  return {
    kind: 'list',
    at,
    items: slots.map(({ value }) => positional(value ? targetOf(lowering, value) : otherExpr(at))),
  }
}

export function arrayOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const items = namedChildren(node).filter(({ type }) => type === 'array_element_initializer')
  const isMap = items.some((item) => item.children.some(({ type }) => type === '=>'))
  if (!isMap) return { kind: 'list', at, items: items.map((item) => itemOf(lowering, item)) }
  let next = 0
  const entries = items.map((item): Entry => {
    const parts = namedChildren(item)
    const [key, value] = parts
    if (key && value) return { key: lowering.expression(key), value: lowering.expression(value) }
    const { isSpread, value: only } = itemOf(lowering, item)
    return isSpread
      ? { key: null, value: only }
      : { key: literal(rangeOf(item), String(next++)), value: only }
  })
  return { kind: 'map', at, entries }
}

function itemOf(lowering: LoweringContext, item: SyntaxNode): Argument {
  const [inside] = namedChildren(item)
  if (!inside) return positional(otherExpr(rangeOf(item)))
  const [spread] = inside.type === 'variadic_unpacking' ? namedChildren(inside) : []
  if (spread) return { name: null, isSpread: true, value: lowering.expression(spread) }
  return positional(lowering.expression(inside))
}

type Slot = { key: SyntaxNode | null; value: SyntaxNode | null }

/** The slots between the commas, including empty ones. */
function slotsOf(node: SyntaxNode): Slot[] {
  const slots: Slot[] = [{ key: null, value: null }]
  const add = (part: SyntaxNode) => {
    const last = slots.at(-1)
    if (part.type === ',') slots.push({ key: null, value: null })
    else if (part.type === '=>' && last) [last.key, last.value] = [last.value, null]
    else if (part.type === 'array_element_initializer') part.children.forEach(add)
    else if (part.isNamed && !part.type.includes('comment') && last) last.value = part
  }
  node.children.forEach(add)
  if (slots.at(-1)?.value === null) slots.pop()
  return slots
}
