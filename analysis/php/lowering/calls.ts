// Lowers calls: functions, methods, static methods, constructors and language constructs.

import type { Argument, Expr } from '../../ir.ts'
import { callExpr, memberExpr, nameExpr, otherExpr, positional, rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { NAME_TYPES, type Reading, shortName, sourceOf, variableName } from './context.ts'

export function argumentsOf(reading: Reading, list: SyntaxNode): Argument[] {
  return namedChildren(list).flatMap((part): Argument[] => {
    const name = childByField(part, 'name')
    const value = namedChildren(part).find((each) => each !== name && each.type !== 'reference_modifier')
    if (part.type !== 'argument' || !value) return []
    if (value.type === 'variadic_unpacking') {
      const [inside] = namedChildren(value)
      return inside ? [{ name: null, isSpread: true, value: reading.expression(inside) }] : []
    }
    return [
      { name: name ? sourceOf(reading, name) : null, isSpread: false, value: reading.expression(value) },
    ]
  })
}

export function functionCall(reading: Reading, node: SyntaxNode): Expr {
  const callee = childByField(node, 'function')
  const membership = callee && sourceOf(reading, callee) === 'isset' ? membershipOf(reading, node) : undefined
  if (membership) return membership
  return callExpr(
    rangeOf(node),
    callee ? calleeOf(reading, callee) : otherExpr(rangeOf(node)),
    argsOf(reading, node),
  )
}

/** `isset($map[$key])` is a membership test of the key. */
function membershipOf(reading: Reading, node: SyntaxNode): Expr | undefined {
  const [only, ...more] = argsOf(reading, node)
  if (only?.value.kind !== 'index' || more.length > 0) return undefined
  const { object, key } = only.value
  return key.kind === 'literal'
    ? undefined
    : { kind: 'binary', at: rangeOf(node), operator: 'in', left: key, right: object }
}

/** Function names are case-insensitive: `Exec` is `exec`. */
function calleeOf(reading: Reading, node: SyntaxNode): Expr {
  if (!NAME_TYPES.has(node.type)) return reading.expression(node)
  const name = shortName(reading, node)
  return nameExpr(rangeOf(node), /^[A-Z_]+$/.test(name) ? name.toLowerCase() : name)
}

export function methodCall(reading: Reading, node: SyntaxNode): Expr {
  return callExpr(rangeOf(node), memberAccess(reading, node), argsOf(reading, node))
}

/** `$a->b`, `$a?->b`. A computed member name is an index. */
export function memberAccess(reading: Reading, node: SyntaxNode): Expr {
  const [object, name] = [childByField(node, 'object'), childByField(node, 'name')]
  const at = rangeOf(node)
  const of = object ? reading.expression(object) : otherExpr(at)
  if (name?.type === 'name') return memberExpr(at, of, sourceOf(reading, name))
  return { kind: 'index', at, object: of, key: name ? reading.expression(name) : otherExpr(at) }
}

export function staticCall(reading: Reading, node: SyntaxNode): Expr {
  return callExpr(rangeOf(node), staticAccess(reading, node), argsOf(reading, node))
}

/** `A::b()`, `A::$b`, `A::B`. */
export function staticAccess(reading: Reading, node: SyntaxNode): Expr {
  const parts = namedChildren(node).filter(({ type }) => type !== 'arguments')
  const [scope, name] = [childByField(node, 'scope') ?? parts[0], childByField(node, 'name') ?? parts[1]]
  const at = rangeOf(node)
  if (!scope || !name) return otherExpr(at)
  const object = scopeOf(reading, scope)
  if (name.type === 'name') return memberExpr(at, object, sourceOf(reading, name))
  // In `A::$b()` the variable holds the method name; in `A::$b` it is the property.
  if (name.type === 'variable_name' && node.type === 'scoped_property_access_expression')
    return memberExpr(at, object, variableName(reading, name).replace(/^\$/, ''))
  return { kind: 'index', at, object, key: reading.expression(name) }
}

function scopeOf(reading: Reading, scope: SyntaxNode): Expr {
  return NAMES.has(scope.type)
    ? nameExpr(rangeOf(scope), shortName(reading, scope))
    : reading.expression(scope)
}

const NAMES = new Set([...NAME_TYPES, 'relative_scope'])

export function creationOf(reading: Reading, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const [made] = namedChildren(node).filter(({ type }) => type !== 'arguments')
  if (!made || made.type === 'anonymous_class') return otherExpr(at)
  return { kind: 'call', at, callee: scopeOf(reading, made), args: argsOf(reading, node), isNew: true }
}

/** `include $x`, `print $x`, `echo $a, $b` become calls. */
export function wordCall(reading: Reading, node: SyntaxNode, word: string): Expr {
  const at = rangeOf(node)
  const parts = namedChildren(node).flatMap((part) =>
    part.type === 'sequence_expression' ? namedChildren(part) : [part],
  )
  return callExpr(
    at,
    nameExpr(at, word),
    parts.map((part) => positional(reading.expression(part))),
  )
}

function argsOf(reading: Reading, node: SyntaxNode): Argument[] {
  const list = childByField(node, 'arguments') ?? namedChildren(node).find(({ type }) => type === 'arguments')
  return list ? argumentsOf(reading, list) : []
}
