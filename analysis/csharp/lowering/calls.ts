// Lowers calls, object creations and their initializers.

import type { Argument, Entry, Expr } from '../../ir.ts'
import {
  INITIALIZER,
  literal,
  memberExpr,
  nameExpr,
  otherExpr,
  positional,
  rangeOf,
} from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { childOfType, type LoweringContext, text } from './context.ts'
import { typeName } from './types.ts'

export const argumentsOf = (lowering: LoweringContext, node: SyntaxNode | undefined): Argument[] =>
  (node ? namedChildren(node) : [])
    .filter(({ type }) => type === 'argument')
    .map((part) => argumentFrom(lowering, part))

export function argumentFrom(lowering: LoweringContext, part: SyntaxNode): Argument {
  const name = childByField(part, 'name')
  const value = namedChildren(part).findLast((each) => each !== name)
  return {
    name: name ? text(lowering, name) : null,
    isSpread: false,
    value: value ? argumentValue(lowering, value) : otherExpr(rangeOf(part)),
  }
}

/** `out var x` declares a variable. */
function argumentValue(lowering: LoweringContext, value: SyntaxNode): Expr {
  if (value.type !== 'declaration_expression') return lowering.visit.expression(lowering, value)
  const name = childByField(value, 'name') ?? value
  lowering.patternVariables.push({ name: text(lowering, name), at: rangeOf(name) })
  return nameExpr(rangeOf(name), text(lowering, name))
}

export function invocation(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const called = childByField(node, 'function')
  if (!called) return otherExpr(at)
  if (text(lowering, called) === 'nameof') return nameOfCall(lowering, node)
  const args = argumentsOf(lowering, childByField(node, 'arguments'))
  const callee = chained(lowering.visit.expression(lowering, called))
  if (callee.kind !== 'member') return { at, kind: 'call', callee, args, isNew: false }
  return (
    tryGetValue(at, callee, args) ?? { at, kind: 'call', callee: asShared(callee, args), args, isNew: false }
  )
}

function nameOfCall(lowering: LoweringContext, node: SyntaxNode): Expr {
  const written = text(lowering, childByField(node, 'arguments') ?? node)
  return literal(rangeOf(node), /(\w+)\W*$/.exec(written)?.[1] ?? '')
}

/** `b.Append(x).Append(y)`: a builder returns itself, so the next call is made on the variable. */
function chained(callee: Expr): Expr {
  if (callee.kind !== 'member' || callee.object.kind !== 'call') return callee
  const before = callee.object
  if (before.callee.kind !== 'member' || !/^Append(?:Line|Format)?$/.test(before.callee.property))
    return callee
  const { object } = before.callee
  const target = object.kind === 'assign' ? object.target : object
  if (target.kind !== 'name') return callee
  return { ...callee, object: { at: before.at, kind: 'assign', target, operator: null, value: before } }
}

/** `map.TryGetValue(key, out v)` assigns an entry. */
function tryGetValue(at: Expr['at'], callee: Expr, args: readonly Argument[]): Expr | undefined {
  const [key, out] = args
  if (callee.kind !== 'member' || callee.property !== 'TryGetValue' || !key || out?.value.kind !== 'name')
    return undefined
  const value: Expr = { at, kind: 'index', object: callee.object, key: key.value }
  const assigned: Expr = { at, kind: 'assign', target: out.value, operator: null, value }
  return { at, kind: 'call', callee, args: [key, positional(assigned)], isNew: false }
}

/** Methods of LINQ with a function, by the name that the engine knows. */
const SHARED_NAMES = new Map(
  Object.entries({
    Select: 'map',
    ConvertAll: 'map',
    Where: 'filter',
    SelectMany: 'flatMap',
    First: 'find',
    FirstOrDefault: 'find',
    Single: 'find',
    SingleOrDefault: 'find',
    Last: 'find',
    LastOrDefault: 'find',
    Find: 'find',
    ForEach: 'forEach',
    Any: 'some',
    Exists: 'some',
    All: 'every',
    OrderBy: 'sort',
    OrderByDescending: 'sort',
    ContinueWith: 'then',
  }),
)

function asShared(callee: Expr, args: readonly Argument[]): Expr {
  if (callee.kind !== 'member' || args.length !== 1 || args[0]?.value.kind !== 'function') return callee
  const property = SHARED_NAMES.get(callee.property)
  return property === undefined ? callee : { ...callee, property }
}

export function creation(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const type = typeName(lowering, childByField(node, 'type')) ?? ''
  const given = childByField(node, 'arguments') ?? childOfType(node, 'argument_list')
  const initializer = childByField(node, 'initializer') ?? childOfType(node, 'initializer_expression')
  const args = argumentsOf(lowering, given)
  const filled = initializer && filledBy(lowering, initializer)
  if (filled?.kind === 'list' && args.length === 0) return { at, kind: 'cast', type, value: filled }
  const members = filled?.kind === 'map' ? [{ name: INITIALIZER, isSpread: false, value: filled }] : []
  return { at, kind: 'call', callee: nameExpr(at, type), args: [...args, ...members], isNew: true }
}

/** `{ A = 1 }` and `{ ["a"] = 1 }` are maps, `{ "a", "b" }` is a list. */
export function filledBy(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const parts = namedChildren(node)
  const entries = parts.map((part) => entryFrom(lowering, part))
  if (parts.length > 0 && entries.every((entry) => entry !== undefined)) return { at, kind: 'map', entries }
  return {
    at,
    kind: 'list',
    items: parts.map((part) => positional(lowering.visit.expression(lowering, part))),
  }
}

function entryFrom(lowering: LoweringContext, part: SyntaxNode): Entry | undefined {
  if (part.type === 'initializer_expression') {
    const [key, value, ...rest] = namedChildren(part)
    if (!key || !value || rest.length > 0) return undefined
    return {
      key: lowering.visit.expression(lowering, key),
      value: lowering.visit.expression(lowering, value),
    }
  }
  const [left, right] = [childByField(part, 'left'), childByField(part, 'right')]
  if (part.type !== 'assignment_expression' || !left || !right) return undefined
  const value =
    right.type === 'initializer_expression'
      ? filledBy(lowering, right)
      : lowering.visit.expression(lowering, right)
  if (left.type === 'identifier') return { key: literal(rangeOf(left), text(lowering, left)), value }
  const [key] = namedChildren(left).flatMap((each) => namedChildren(each))
  return key && { key: lowering.visit.expression(lowering, key), value }
}

/** `new { id, Name = x }` and `record with { A = 1 }`. */
export function namedValues(lowering: LoweringContext, parts: readonly SyntaxNode[]): Entry[] {
  const entries: Entry[] = []
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]
    if (!part) continue
    const at = rangeOf(part)
    const value = parts[index + 1]?.type === '=' ? parts[index + 2] : part
    const name = /(\w+)$/.exec(text(lowering, part))?.[1] ?? ''
    if (value) entries.push({ key: literal(at, name), value: lowering.visit.expression(lowering, value) })
    if (value !== part) index += 2
  }
  return entries
}

export const typedMember = (at: Expr['at'], object: Expr, property: string, type: string): Expr => ({
  at,
  kind: 'cast',
  type,
  value: memberExpr(at, object, property),
})
