// Lowers `case … when` and `case … in`.

import type { Case, Expr, Stmt } from '../../ir.ts'
import { expressionStatement, literal, nameExpr, otherExpr, rangeOf } from '../../ir-builders.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, localExpr, sourceOf } from './context.ts'

export function caseOf(lowering: LoweringContext, node: SyntaxNode): Stmt {
  const value = childByField(node, 'value')
  const subject = value ? lowering.expression(lowering, value) : null
  const cases = namedChildren(node).flatMap((part): Case[] => {
    if (part.type === 'else') return [caseFrom([], lowering.statements(lowering, [part]))]
    if (part.type !== 'when') return []
    const tests = childrenByField(part, 'pattern').flatMap((pattern) =>
      namedChildren(pattern).map((test) => lowering.expression(lowering, test)),
    )
    const body = childByField(part, 'body')
    return [
      caseFrom(
        tests.length > 0 ? tests : [otherExpr(rangeOf(part))],
        body ? lowering.statements(lowering, [body]) : [],
      ),
    ]
  })
  return { kind: 'switch', at: rangeOf(node), subject, cases }
}

const caseFrom = (tests: readonly Expr[], body: readonly Stmt[]): Case => ({
  tests,
  body,
  hasNoFallthrough: true,
})

/** Patterns without names are compared. Names in a pattern are bound to parts of the subject. */
export function caseMatchOf(lowering: LoweringContext, node: SyntaxNode): Stmt {
  const at = rangeOf(node)
  const value = childByField(node, 'value')
  const subject = nameExpr(at, `case at ${at.start}`)
  const setup = expressionStatement(at, {
    kind: 'assign',
    at,
    target: subject,
    operator: null,
    value: value ? lowering.expression(lowering, value) : otherExpr(at),
  })
  const cases = namedChildren(node).flatMap((part): Case[] => {
    if (part.type === 'else') return [caseFrom([], lowering.statements(lowering, [part]))]
    const pattern = childByField(part, 'pattern')
    if (part.type !== 'in_clause' || !pattern) return []
    const tests = testsOf(lowering, pattern) ?? [otherExpr(rangeOf(pattern))]
    const bound = bindingsOf(lowering, pattern, subject)
    const body = childByField(part, 'body')
    return [caseFrom(tests, [...bound, ...(body ? lowering.statements(lowering, [body]) : [])])]
  })
  return { kind: 'block', at, body: [setup, { kind: 'switch', at, subject, cases }] }
}

const CONSTANT = /^(?:string|simple_symbol|integer|float|nil|true|false)$/

function testsOf(lowering: LoweringContext, pattern: SyntaxNode): Expr[] | undefined {
  const all = pattern.type === 'alternative_pattern' ? namedChildren(pattern) : [pattern]
  return all.every(({ type }) => CONSTANT.test(type))
    ? all.map((each) => lowering.expression(lowering, each))
    : undefined
}

export function bindingsOf(lowering: LoweringContext, pattern: SyntaxNode, value: Expr): Stmt[] {
  const at = rangeOf(pattern)
  const bindName = (name: SyntaxNode, part: Expr): Stmt =>
    expressionStatement(at, {
      kind: 'assign',
      at,
      target: localExpr(lowering, name, sourceOf(lowering, name).replace(/:$/, '')),
      operator: null,
      value: part,
    })
  const item = (key: Expr): Expr => ({ kind: 'index', at, object: value, key })
  switch (pattern.type) {
    case 'identifier':
      return [bindName(pattern, value)]
    case 'as_pattern': {
      const [inner, name] = [childByField(pattern, 'value'), childByField(pattern, 'name')]
      return [...(inner ? bindingsOf(lowering, inner, value) : []), ...(name ? [bindName(name, value)] : [])]
    }
    case 'keyword_pattern': {
      const [key, inner] = [childByField(pattern, 'key'), childByField(pattern, 'value')]
      if (!key) return []
      const part = item(literal(at, sourceOf(lowering, key).replace(/^["']|["']$/g, '')))
      return inner ? bindingsOf(lowering, inner, part) : [bindName(key, part)]
    }
    case 'array_pattern':
      return namedChildren(pattern).flatMap((each, index) =>
        bindingsOf(lowering, each, item(literal(at, index))),
      )
    case 'splat_parameter':
    case 'hash_splat_parameter': {
      const name = childByField(pattern, 'name')
      return name ? [bindName(name, value)] : []
    }
    default:
      return namedChildren(pattern).flatMap((each) => bindingsOf(lowering, each, value))
  }
}
