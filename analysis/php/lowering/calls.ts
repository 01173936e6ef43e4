// Lowers calls: functions, methods, static methods, constructors and language constructs.

import type { Argument, Expr } from '../../ir.ts'
import { callExpr, memberExpr, nameExpr, otherExpr, positional, rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, NAME_TYPES, shortName, sourceOf, variableName } from './context.ts'

export function argumentsOf(lowering: LoweringContext, list: SyntaxNode): Argument[] {
  return namedChildren(list).flatMap((part): Argument[] => {
    const name = childByField(part, 'name')
    const value = namedChildren(part).find((each) => each !== name && each.type !== 'reference_modifier')
    if (part.type !== 'argument' || !value) return []
    if (value.type === 'variadic_unpacking') {
      const [inside] = namedChildren(value)
      return inside ? [{ name: null, isSpread: true, value: lowering.expression(inside) }] : []
    }
    return [
      { name: name ? sourceOf(lowering, name) : null, isSpread: false, value: lowering.expression(value) },
    ]
  })
}

export function functionCall(lowering: LoweringContext, node: SyntaxNode): Expr {
  const callee = childByField(node, 'function')
  const membership =
    callee && sourceOf(lowering, callee) === 'isset' ? membershipOf(lowering, node) : undefined
  if (membership) return membership
  return callExpr(
    rangeOf(node),
    callee ? calleeOf(lowering, callee) : otherExpr(rangeOf(node)),
    argsOf(lowering, node),
  )
}

/** `isset($map[$key])` is a membership test of the key. */
function membershipOf(lowering: LoweringContext, node: SyntaxNode): Expr | undefined {
  const [only, ...more] = argsOf(lowering, node)
  if (only?.value.kind !== 'index' || more.length > 0) return undefined
  const { object, key } = only.value
  return key.kind === 'literal'
    ? undefined
    : { kind: 'binary', at: rangeOf(node), operator: 'in', left: key, right: object }
}

/** Function names are case-insensitive: `Exec` is `exec`. */
function calleeOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  if (!NAME_TYPES.has(node.type)) return lowering.expression(node)
  const name = shortName(lowering, node)
  return nameExpr(rangeOf(node), /^[A-Z_]+$/.test(name) ? name.toLowerCase() : name)
}

export function methodCall(lowering: LoweringContext, node: SyntaxNode): Expr {
  return callExpr(rangeOf(node), memberAccess(lowering, node), argsOf(lowering, node))
}

/** `$a->b`, `$a?->b`. A computed member name is an index. */
export function memberAccess(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [object, name] = [childByField(node, 'object'), childByField(node, 'name')]
  const at = rangeOf(node)
  const of = object ? lowering.expression(object) : otherExpr(at)
  if (name?.type === 'name') return memberExpr(at, of, sourceOf(lowering, name))
  return { kind: 'index', at, object: of, key: name ? lowering.expression(name) : otherExpr(at) }
}

export function staticCall(lowering: LoweringContext, node: SyntaxNode): Expr {
  return callExpr(rangeOf(node), staticAccess(lowering, node), argsOf(lowering, node))
}

/** `A::b()`, `A::$b`, `A::B`. */
export function staticAccess(lowering: LoweringContext, node: SyntaxNode): Expr {
  const parts = namedChildren(node).filter(({ type }) => type !== 'arguments')
  const [scope, name] = [childByField(node, 'scope') ?? parts[0], childByField(node, 'name') ?? parts[1]]
  const at = rangeOf(node)
  if (!scope || !name) return otherExpr(at)
  const object = scopeOf(lowering, scope)
  if (name.type === 'name') return memberExpr(at, object, sourceOf(lowering, name))
  // In `A::$b()` the variable holds the method name; in `A::$b` it is the property.
  if (name.type === 'variable_name' && node.type === 'scoped_property_access_expression')
    return memberExpr(at, object, variableName(lowering, name).replace(/^\$/, ''))
  return { kind: 'index', at, object, key: lowering.expression(name) }
}

function scopeOf(lowering: LoweringContext, scope: SyntaxNode): Expr {
  return NAMES.has(scope.type)
    ? nameExpr(rangeOf(scope), shortName(lowering, scope))
    : lowering.expression(scope)
}

const NAMES = new Set([...NAME_TYPES, 'relative_scope'])

export function creationOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const [made] = namedChildren(node).filter(({ type }) => type !== 'arguments')
  if (!made || made.type === 'anonymous_class') return otherExpr(at)
  return { kind: 'call', at, callee: scopeOf(lowering, made), args: argsOf(lowering, node), isNew: true }
}

/** `include $x`, `print $x`, `echo $a, $b` become calls. */
export function wordCall(lowering: LoweringContext, node: SyntaxNode, word: string): Expr {
  const at = rangeOf(node)
  const parts = namedChildren(node).flatMap((part) =>
    part.type === 'sequence_expression' ? namedChildren(part) : [part],
  )
  return callExpr(
    at,
    nameExpr(at, word),
    parts.map((part) => positional(lowering.expression(part))),
  )
}

function argsOf(lowering: LoweringContext, node: SyntaxNode): Argument[] {
  const list = childByField(node, 'arguments') ?? namedChildren(node).find(({ type }) => type === 'arguments')
  return list ? argumentsOf(lowering, list) : []
}
