// Lowers patterns: the names they bind and the constants they compare.

import type { Expr } from '../../ir.ts'
import { literal, memberExpr, nameExpr, rangeOf } from '../../ir-builders.ts'
import type { SyntaxNode } from '../../syntax/tree.ts'
import { isComma, type LoweringContext, partsOf, sourceOf, splitAt } from './context.ts'

export const isPattern = ({ type }: SyntaxNode): boolean => /_pattern$/.test(type)

/** The comparison with a constant, or undefined for other patterns. */
export function testOf(lowering: LoweringContext, pattern: SyntaxNode, subject: Expr): Expr | undefined {
  const at = rangeOf(pattern)
  if (/^logical_or_pattern$/.test(pattern.type)) {
    const tests = partsOf(pattern.children).map((part) => testOf(lowering, part, subject))
    return tests.every((test) => test !== undefined)
      ? tests.reduce<Expr | undefined>(
          (left, right) => (left && right ? { kind: 'binary', at, operator: '||', left, right } : right),
          undefined,
        )
      : undefined
  }
  if (pattern.type !== 'constant_pattern') return undefined
  const right = lowering.sequence(lowering, pattern.children)
  if (right.kind === 'name' && right.name === '_') return undefined
  return { kind: 'binary', at, operator: '==', left: subject, right }
}

/** Assignments of the parts of the subject to the names of the pattern. */
export function bindingsOf(lowering: LoweringContext, pattern: SyntaxNode, subject: Expr): Expr[] {
  const at = rangeOf(pattern)
  const bindName = (name: string, value: Expr): Expr[] =>
    name === '_' ? [] : [{ kind: 'assign', at, target: nameExpr(at, name), operator: null, value }]
  const item = (key: string | number): Expr => ({ kind: 'index', at, object: subject, key: literal(at, key) })
  const children = partsOf(pattern.children)
  switch (pattern.type) {
    case 'variable_pattern': {
      const name = children.findLast(({ type }) => type === 'identifier')
      return name ? bindName(sourceOf(lowering, name), subject) : []
    }
    case 'list_pattern':
      return splitAt(pattern.children, isComma).flatMap((group, index) =>
        partsOf(group).flatMap((part) => (isPattern(part) ? bindingsOf(lowering, part, item(index)) : [])),
      )
    case 'record_pattern':
    case 'object_pattern':
      return splitAt(pattern.children, isComma).flatMap((group, index) => {
        const parts = partsOf(group)
        const value = parts.findLast(isPattern)
        const label = parts.find(({ type }) => type === 'label' || type === 'identifier')
        const key = label && label !== value ? sourceOf(lowering, label).replace(/\s*:$/, '') : null
        return value
          ? bindingsOf(lowering, value, key === null ? item(index) : memberExpr(at, subject, key))
          : []
      })
    case 'map_pattern': {
      const bound: Expr[] = []
      let key: SyntaxNode | undefined
      for (const part of children) {
        if (isPattern(part)) {
          const of = key ? lowering.sequence(lowering, [key]) : literal(at, null)
          bound.push(...bindingsOf(lowering, part, { kind: 'index', at, object: subject, key: of }))
        } else key = part
      }
      return bound
    }
    default:
      return children.filter(isPattern).flatMap((part) => bindingsOf(lowering, part, subject))
  }
}

/** The target of `var (a, b) = pair`, where names are bound. */
export function targetOf(lowering: LoweringContext, pattern: SyntaxNode): Expr {
  const at = rangeOf(pattern)
  const items = splitAt(pattern.children, isComma).flatMap((group) => {
    const part = partsOf(group).findLast(isPattern)
    if (!part) return []
    const name =
      part.type === 'constant_pattern' || part.type === 'variable_pattern'
        ? partsOf(part.children).at(-1)
        : undefined
    const value = name ? nameExpr(rangeOf(name), sourceOf(lowering, name)) : targetOf(lowering, part)
    return [{ name: null, isSpread: false, value }]
  })
  return { kind: 'list', at, items }
}
