// Lowers an object with the members, calls, elements and cascades after it.

import type { Argument, Expr } from '../../ir.ts'
import { callExpr, memberExpr, nameExpr, otherExpr, positional, rangeOf } from '../../ir-builders.ts'
import type { SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, partsOf, sourceOf } from './context.ts'

const SELECTOR =
  /^(?:selector|argument_part|arguments|unconditional_assignable_selector|conditional_assignable_selector|index_selector|cascade_selector)$/

export const isSelector = ({ type }: SyntaxNode): boolean => SELECTOR.test(type)

export function applySelectors(
  lowering: LoweringContext,
  object: Expr,
  selectors: readonly SyntaxNode[],
): Expr {
  let value = object
  for (const selector of selectors) value = applyOne(lowering, value, selector)
  return value
}

function applyOne(lowering: LoweringContext, object: Expr, node: SyntaxNode): Expr {
  const at = { ...rangeOf(node), start: object.at.start, line: object.at.line }
  const parts = partsOf(node.children)
  const [first] = parts
  switch (node.type) {
    case 'selector':
      return first ? applyOne(lowering, object, first) : object
    case 'argument_part': {
      const list = parts.find(({ type }) => type === 'arguments')
      return list ? callOf(lowering, object, list, at) : object
    }
    case 'arguments':
      return callOf(lowering, object, node, at)
    case 'index_selector':
      return { kind: 'index', at, object, key: lowering.sequence(lowering, parts) }
    default: {
      if (!first) return object
      if (first.type === 'index_selector') return applyOne(lowering, object, first)
      return first.type === 'identifier' ? memberOf(lowering, object, sourceOf(lowering, first), at) : object
    }
  }
}

/** `http.get` of an imported library, and members. */
function memberOf({ prefixes }: LoweringContext, object: Expr, property: string, at: Expr['at']): Expr {
  if (object.kind === 'name') {
    const library = prefixes.get(object.name)
    if (library !== undefined)
      return library === '' || /^[A-Z]/.test(property)
        ? nameExpr(at, property)
        : memberExpr(at, nameExpr(object.at, library), property)
  }
  const member = memberExpr(at, object, property)
  // Properties of collections that other languages write as calls.
  return /^(?:first|last|single)$/.test(property) ? callExpr(at, member, []) : member
}

/** A class is called like a function. */
function callOf(lowering: LoweringContext, callee: Expr, list: SyntaxNode, at: Expr['at']): Expr {
  const args = argumentsOf(lowering, list)
  const isNew = callee.kind === 'name' && /^_?[A-Z]/.test(callee.name)
  return isNew ? { kind: 'call', at, callee, args, isNew } : callExpr(at, callee, args)
}

export function argumentsOf(lowering: LoweringContext, list: SyntaxNode): Argument[] {
  return partsOf(list.children).map((part): Argument => {
    const [label, ...value] = partsOf(part.children)
    if (part.type === 'named_argument' && label)
      return {
        name: sourceOf(lowering, label).replace(/\s*:$/, ''),
        isSpread: false,
        value: lowering.sequence(lowering, value),
      }
    const [inner] = partsOf(part.children)
    if (inner?.type === 'named_argument') {
      const [name, ...given] = partsOf(inner.children)
      if (name)
        return {
          name: sourceOf(lowering, name).replace(/\s*:$/, ''),
          isSpread: false,
          value: lowering.sequence(lowering, given),
        }
    }
    return positional(lowering.sequence(lowering, part.type === 'argument' ? partsOf(part.children) : [part]))
  })
}

/** `..add(1)` and `..name = value`, applied to the object. */
export function cascadeOf(lowering: LoweringContext, object: Expr, section: SyntaxNode): Expr {
  const parts = partsOf(section.children)
  const count = parts.findIndex((part) => !isSelector(part))
  const selectors = count === -1 ? parts : parts.slice(0, count)
  const target = applySelectors(lowering, object, selectors)
  if (count === -1) return target
  const at = rangeOf(section)
  const value = lowering.sequence(lowering, parts.slice(count))
  return target.kind === 'call'
    ? otherExpr(at, [target, value])
    : { kind: 'assign', at, target, operator: null, value }
}
