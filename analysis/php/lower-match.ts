// `match`: a chain of questions that has a value.

import type { Expr } from '../ir.ts'
import { choice, other, placeOf } from '../ir-builders.ts'
import { childOf, partsOf, type SyntaxNode } from '../syntax/tree.ts'
import type { Reading } from './reading.ts'

export function matchOf(reading: Reading, node: SyntaxNode): Expr {
  const [condition, body] = [childOf(node, 'condition'), childOf(node, 'body')]
  const at = placeOf(node)
  const subject = condition ? reading.expression(condition) : other(at)
  const arms = body ? partsOf(body) : []
  const fallback = arms.find(({ type }) => type === 'match_default_expression')
  // Without a default, what fits no arm is thrown out.
  const otherwise = fallback ? resultOf(reading, fallback) : other(at)
  return arms
    .filter((arm) => arm !== fallback)
    .reduceRight<Expr>(
      (rest, arm) => choice(placeOf(arm), testOf(reading, arm, subject), resultOf(reading, arm), rest),
      otherwise,
    )
}

function resultOf(reading: Reading, arm: SyntaxNode): Expr {
  const result = childOf(arm, 'return_expression')
  return result ? reading.expression(result) : other(placeOf(arm))
}

function testOf(reading: Reading, arm: SyntaxNode, subject: Expr): Expr {
  const list = childOf(arm, 'conditional_expressions')
  const tests = (list ? partsOf(list) : []).map((part) => equals(reading.expression(part), subject))
  const [first, ...rest] = tests
  if (!first) return other(placeOf(arm))
  return rest.reduce<Expr>(
    (left, right) => ({ kind: 'binary', at: placeOf(arm), operator: '||', left, right }),
    first,
  )
}

/** `match (true)` asks its arms themselves. */
function equals(test: Expr, subject: Expr): Expr {
  const asked = subject.kind === 'same' ? subject.value : subject
  if (asked.kind === 'literal' && asked.value === true) return test
  return { kind: 'binary', at: test.at, operator: '===', left: asked, right: test }
}
