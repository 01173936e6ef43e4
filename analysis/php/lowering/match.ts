// Lowers `match` to nested conditionals.

import type { Expr } from '../../ir.ts'
import { conditionalExpr, otherExpr, rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import type { LoweringContext } from './context.ts'

export function matchOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [condition, body] = [childByField(node, 'condition'), childByField(node, 'body')]
  const at = rangeOf(node)
  const subject = condition ? lowering.expression(condition) : otherExpr(at)
  const arms = body ? namedChildren(body) : []
  const fallback = arms.find(({ type }) => type === 'match_default_expression')
  // Without a default, an unmatched value throws.
  const otherwise = fallback ? resultOf(lowering, fallback) : otherExpr(at)
  return arms
    .filter((arm) => arm !== fallback)
    .reduceRight<Expr>(
      (rest, arm) =>
        conditionalExpr(rangeOf(arm), testOf(lowering, arm, subject), resultOf(lowering, arm), rest),
      otherwise,
    )
}

function resultOf(lowering: LoweringContext, arm: SyntaxNode): Expr {
  const result = childByField(arm, 'return_expression')
  return result ? lowering.expression(result) : otherExpr(rangeOf(arm))
}

function testOf(lowering: LoweringContext, arm: SyntaxNode, subject: Expr): Expr {
  const list = childByField(arm, 'conditional_expressions')
  const tests = (list ? namedChildren(list) : []).map((part) => equals(lowering.expression(part), subject))
  const [first, ...rest] = tests
  if (!first) return otherExpr(rangeOf(arm))
  return rest.reduce<Expr>(
    (left, right) => ({ kind: 'binary', at: rangeOf(arm), operator: '||', left, right }),
    first,
  )
}

/** `match (true)` tests its arms directly. */
function equals(test: Expr, subject: Expr): Expr {
  const asked = subject.kind === 'same' ? subject.value : subject
  if (asked.kind === 'literal' && asked.value === true) return test
  return { kind: 'binary', at: test.at, operator: '===', left: asked, right: test }
}
