// Lowers calls.

import type { Argument, Expr } from '../../ir.ts'
import { memberExpr, nameExpr, otherExpr, positional, rangeOf } from '../../ir-builders.ts'
import { namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { childOfType, hasToken, type LoweringContext, nameText } from './context.ts'
import { lambdaExpr, scopeFunction } from './lambdas.ts'

type CallParts = {
  readonly callee: SyntaxNode
  readonly args: SyntaxNode | undefined
  readonly lambda: SyntaxNode | undefined
}

export function callExpression(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const parts = partsOf(node)
  if (!parts) return otherExpr(at)
  const args = argumentsOf(lowering, parts.args)
  const callee = calleeOf(lowering, parts.callee)
  const scoped = parts.lambda && scopeFunction(lowering, node, { callee, args, lambda: parts.lambda })
  if (scoped) return scoped
  const made = collection(at, callee, args)
  if (made) return made
  const all = parts.lambda ? [...args, positional(lambdaExpr(lowering, parts.lambda))] : args
  const plain = chained(callee)
  return (
    equality(at, plain, all) ?? { at, kind: 'call', callee: plain, args: all, isNew: isConstruction(plain) }
  )
}

/** `f(1) { … }` is parsed as a call of `f(1)` with a lambda. */
function partsOf(node: SyntaxNode): CallParts | undefined {
  const [callee] = namedChildren(node)
  const args = childOfType(node, 'value_arguments')
  const marked = childOfType(node, 'annotated_lambda')
  const lambda = marked && childOfType(marked, 'lambda_literal')
  if (!callee) return undefined
  const inner = !args && lambda && callee.type === 'call_expression' ? partsOf(callee) : undefined
  return inner && !inner.lambda ? { ...inner, lambda } : { callee, args, lambda }
}

export const argumentsOf = (lowering: LoweringContext, node: SyntaxNode | undefined): Argument[] =>
  (node ? namedChildren(node) : [])
    .filter(({ type }) => type === 'value_argument')
    .map((part) => argumentFrom(lowering, part))

export function argumentFrom(lowering: LoweringContext, part: SyntaxNode): Argument {
  const named = namedChildren(part)
  const [name] = hasToken(part, '=') ? named : []
  const value = named.findLast((each) => each !== name)
  if (!value) return positional(otherExpr(rangeOf(part)))
  const isSpread = value.type === 'spread_expression'
  return {
    name: name ? nameText(lowering, name) : null,
    isSpread,
    value: lowering.visit.expression(lowering, isSpread ? (namedChildren(value)[0] ?? value) : value),
  }
}

/** In a lambda with a receiver, an unknown function is a method of the receiver. */
function calleeOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const { receiver, declaredNames } = lowering
  if (node.type !== 'identifier' || receiver === null) return lowering.visit.expression(lowering, node)
  const name = nameText(lowering, node)
  const isMember = /^[a-z]/.test(name) && !declaredNames.has(name) && !GLOBAL_FUNCTIONS.has(name)
  return isMember ? memberExpr(at, nameExpr(at, receiver), name) : nameExpr(at, name)
}

const GLOBAL_FUNCTIONS: ReadonlySet<string> = new Set(
  `print println readLine readln require requireNotNull check checkNotNull error listOf listOfNotNull mutableListOf arrayListOf
  setOf mutableSetOf hashSetOf mapOf mutableMapOf hashMapOf arrayOf emptyList emptyMap emptySet with run runCatching
  buildString buildList repeat lazy maxOf minOf arrayOfNulls byteArrayOf intArrayOf launch async withContext runBlocking
  coroutineScope delay transaction synchronized sequenceOf`.split(/\s+/),
)

/** `listOf(…)` and `mapOf("a" to b)` as lists and maps. */
function collection(at: Expr['at'], callee: Expr, args: readonly Argument[]): Expr | undefined {
  if (callee.kind !== 'name') return undefined
  if (
    /^(?:listOf|listOfNotNull|mutableListOf|arrayListOf|setOf|mutableSetOf|hashSetOf|linkedSetOf|arrayOf|sequenceOf)$/.test(
      callee.name,
    )
  )
    return { at, kind: 'list', items: args.map((each) => ({ ...each, name: null })) }
  if (!/^(?:mapOf|mutableMapOf|hashMapOf|linkedMapOf)$/.test(callee.name)) return undefined
  const entries = args.map(({ value }) => pairOf(value))
  return entries.every((entry) => entry !== undefined) ? { at, kind: 'map', entries } : undefined
}

/** The key and the value of `a to b`. */
function pairOf(value: Expr): { readonly key: Expr; readonly value: Expr } | undefined {
  if (value.kind !== 'map' || value.entries.length !== 2) return undefined
  const [first, second] = value.entries
  const isPair = first?.key?.kind === 'literal' && first.key.value === 'first' && second
  return isPair ? { key: first.value, value: second.value } : undefined
}

/** `b.append(x).append(y)`: a builder returns itself, so the next call is made on the variable. */
function chained(callee: Expr): Expr {
  if (callee.kind !== 'member' || callee.object.kind !== 'call') return callee
  const before = callee.object
  if (before.callee.kind !== 'member' || !/^append(?:Line)?$/.test(before.callee.property)) return callee
  const { object } = before.callee
  const target = object.kind === 'assign' ? object.target : object
  if (target.kind !== 'name') return callee
  return { ...callee, object: { at: before.at, kind: 'assign', target, operator: null, value: before } }
}

/** `a.equals(b)` compares strings. */
function equality(at: Expr['at'], callee: Expr, args: readonly Argument[]): Expr | undefined {
  const [right, ...rest] = args
  if (callee.kind !== 'member' || callee.property !== 'equals' || !right || rest.length > 0) return undefined
  return { at, kind: 'binary', operator: '==', left: callee.object, right: right.value }
}

/** Constructors are called without `new`. Class names begin with a capital letter. */
const isConstruction = (callee: Expr): boolean => {
  const name = callee.kind === 'name' ? callee.name : callee.kind === 'member' ? callee.property : ''
  return /^[A-Z]/.test(name)
}
