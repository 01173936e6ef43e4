// Lowers patterns to conditions. `x is string s` tests `x` and binds `s`.

import type { Expr } from '../../ir.ts'
import { conditionalExpr, literal, memberExpr, nameExpr, otherExpr, rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { childOfType, type LoweringContext, text } from './context.ts'
import { typeName } from './types.ts'

export function patternTest(lowering: LoweringContext, subject: Expr, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const binary = (operator: string, left: Expr, right: Expr): Expr => ({
    at,
    kind: 'binary',
    operator,
    left,
    right,
  })
  switch (node.type) {
    case 'constant_pattern': {
      const [value] = namedChildren(node)
      return value
        ? binary('==', subject, lowering.visit.expression(lowering, value))
        : otherExpr(at, [subject])
    }
    case 'negated_pattern': {
      const [inner] = namedChildren(node)
      if (!inner) return otherExpr(at, [subject])
      return { at, kind: 'unary', operator: '!', operand: patternTest(lowering, subject, inner) }
    }
    case 'parenthesized_pattern': {
      const [inner] = namedChildren(node)
      return inner ? patternTest(lowering, subject, inner) : otherExpr(at, [subject])
    }
    case 'and_pattern':
    case 'or_pattern': {
      const [left, right] = [childByField(node, 'left'), childByField(node, 'right')]
      if (!left || !right) return otherExpr(at, [subject])
      const operator = node.type === 'and_pattern' ? '&&' : '||'
      return binary(operator, patternTest(lowering, subject, left), patternTest(lowering, subject, right))
    }
    case 'type_pattern':
    case 'declaration_pattern':
    case 'recursive_pattern':
    case 'var_pattern':
      return typeTest(lowering, subject, node)
    default:
      return otherExpr(at, [subject])
  }
}

function typeTest(lowering: LoweringContext, subject: Expr, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const type = typeName(lowering, childByField(node, 'type'))
  const name = childByField(node, 'name')
  const left = name ? bound(lowering, name, type, subject) : subject
  const test: Expr = type
    ? { at, kind: 'binary', operator: 'instanceof', left, right: nameExpr(at, type) }
    : otherExpr(at, [left])
  const clause = childOfType(node, 'property_pattern_clause')
  const parts = clause ? namedChildren(clause).flatMap((part) => memberTest(lowering, subject, part)) : []
  return parts.reduce(
    (all, part): Expr => ({ at, kind: 'binary', operator: '&&', left: all, right: part }),
    test,
  )
}

/** `{ Name: "x" }` tests a member. */
function memberTest(lowering: LoweringContext, subject: Expr, node: SyntaxNode): Expr[] {
  const [first, pattern] = namedChildren(node)
  if (!first || !pattern) return []
  const member = memberExpr(rangeOf(first), subject, text(lowering, first).replace(/^.*\./, ''))
  return [patternTest(lowering, member, pattern)]
}

function bound(lowering: LoweringContext, name: SyntaxNode, type: string | null, value: Expr): Expr {
  const at = rangeOf(name)
  lowering.patternVariables.push({ name: text(lowering, name), at })
  const held: Expr = type ? { at, kind: 'cast', type, value } : value
  return { at, kind: 'assign', target: nameExpr(at, text(lowering, name)), operator: null, value: held }
}

/** A `switch` expression becomes nested conditionals. Arms that throw have no value. */
export function switchExpression(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [asked, ...arms] = namedChildren(node)
  const at = rangeOf(node)
  if (!asked) return otherExpr(at)
  const subject = lowering.visit.expression(lowering, asked)
  return arms.reduceRight<Expr>(
    (otherwise, arm) => {
      const [pattern, ...rest] = namedChildren(arm)
      const value = rest.at(-1)
      if (!pattern || !value) return otherwise
      const isDefault = pattern.type === 'discard' && rest.length === 1
      if (isDefault)
        return value.type === 'throw_expression' ? otherwise : lowering.visit.expression(lowering, value)
      if (value.type === 'throw_expression') return otherwise
      const guard = rest.find(({ type }) => type === 'when_clause')
      const first = patternTest(lowering, subject, pattern)
      const [condition] = guard ? namedChildren(guard) : []
      const test: Expr = condition
        ? {
            at,
            kind: 'binary',
            operator: '&&',
            left: first,
            right: lowering.visit.expression(lowering, condition),
          }
        : first
      return conditionalExpr(rangeOf(arm), test, lowering.visit.expression(lowering, value), otherwise)
    },
    literal(at, null),
  )
}
