// Rewrites method calls to the form that the engine understands: chained builders, `equals` and `matches`.
import type { Argument, Expr } from '../../ir.ts'
import { positional } from '../../ir-builders.ts'
import type { SourceRange, SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, memberExpr, rangeOf, text } from './context.ts'

/** `b.append(x).append(y)`: a builder returns itself, so the next call is made on the variable. */
export function builderReceiver(lowering: LoweringContext, receiver: Expr): Expr {
  if (receiver.kind !== 'call' || receiver.callee.kind !== 'member') return receiver
  const { object, property } = receiver.callee
  const target = object.kind === 'assign' ? object.target : object
  const isOfBuilder = target.kind === 'name' && isBuilder(lowering, target.name)
  if (!isOfBuilder || !/^(append|insert|reverse|replace|delete|deleteCharAt)$/.test(property)) return receiver
  return { at: receiver.at, kind: 'assign', target, operator: null, value: receiver }
}

function isBuilder({ scope }: LoweringContext, name: string): boolean {
  for (let at: LoweringContext['scope'] | null = scope; at; at = at.parent) {
    const type = at.variables.get(name)
    if (type !== undefined) return /(^|\.)String(Builder|Buffer)$/.test(type ?? '')
  }
  return false
}

/** `a.equals(b)` compares strings in Java. */
export function equality(
  lowering: LoweringContext,
  node: SyntaxNode,
  name: string,
  receiver: Expr | undefined,
  args: readonly Argument[],
): Expr | undefined {
  if (!receiver || !/^(equals|contentEquals)$/.test(name)) return undefined
  const isOfObjects = receiver.kind === 'name' && receiver.name === 'Objects'
  const [left, right] = isOfObjects ? args.map(({ value }) => value) : [receiver, args[0]?.value]
  const isAsked = args.length === (isOfObjects ? 2 : 1) && left && right
  const isOfArrays = text(lowering, node).startsWith('Arrays.')
  if (!isAsked || isOfArrays) return undefined
  return { at: rangeOf(node), kind: 'binary', operator: '==', left, right }
}

/** `pattern.matcher(x).matches()` becomes `x.matches(pattern)`. */
export function matchesCall(
  at: SourceRange,
  name: string,
  receiver: Expr | undefined,
  args: readonly Argument[],
): Expr | undefined {
  if (name !== 'matches' || args.length > 0 || receiver?.kind !== 'call' || receiver.callee.kind !== 'member')
    return undefined
  const { object: pattern, property } = receiver.callee
  const [asked] = receiver.args
  if (property !== 'matcher' || !asked) return undefined
  return {
    at,
    kind: 'call',
    callee: memberExpr(at, asked.value, name),
    args: [positional(pattern)],
    isNew: false,
  }
}
