// Lowers struct, map and list literals. Types that rules inspect become constructor calls with named
// fields, so that missing fields can be detected.

import type { Entry, Expr } from '../../ir.ts'
import { literal, memberExpr, nameExpr, otherExpr, positional, rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, sourceOf } from './context.ts'

export function compositeOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const type = childByField(node, 'type')
  const body = childByField(node, 'body')
  const value = body ? literalOf(lowering, body, kindOf(type)) : otherExpr(rangeOf(node))
  return type ? ofType(lowering, node, type, value) : value
}

/** `make(…)` and `new(T)` are empty. The items of a list with a length are unknown. */
export function emptyOf(
  lowering: LoweringContext,
  node: SyntaxNode,
  type: SyntaxNode,
  sizes: readonly SyntaxNode[],
): Expr {
  const at = rangeOf(node)
  if (type.type === 'slice_type') {
    const isEmpty = sizes[0] !== undefined && sourceOf(lowering, sizes[0]) === '0'
    if (isEmpty)
      return { kind: 'cast', at, type: sourceOf(lowering, type), value: { kind: 'list', at, items: [] } }
    const bounds = sizes.map((size) => lowering.expression(size))
    return { kind: 'cast', at, type: sourceOf(lowering, type), value: otherExpr(at, bounds) }
  }
  return ofType(lowering, node, type, { kind: 'map', at, entries: [] })
}

type Kind = 'list' | 'map' | 'struct'

const LISTS = new Set(['slice_type', 'array_type', 'implicit_length_array_type'])

function kindOf(type: SyntaxNode | undefined): Kind {
  if (type && LISTS.has(type.type)) return 'list'
  return type?.type === 'map_type' ? 'map' : 'struct'
}

/** Types that rules inspect. All others keep their contents. */
const INSPECTED_TYPES = new Set([
  'http.Cookie',
  'http.Server',
  'tls.Config',
  'sessions.Options',
  'exec.Cmd',
  'fiber.Cookie',
  'websocket.Upgrader',
  'cors.Options',
  'cors.Config',
])

function ofType(lowering: LoweringContext, node: SyntaxNode, type: SyntaxNode, value: Expr): Expr {
  const at = rangeOf(node)
  const [owner, name] = [childByField(type, 'package'), childByField(type, 'name')]
  if (owner && name && INSPECTED_TYPES.has(sourceOf(lowering, type))) {
    const callee = memberExpr(
      rangeOf(type),
      nameExpr(rangeOf(owner), sourceOf(lowering, owner)),
      sourceOf(lowering, name),
    )
    return { kind: 'call', at, callee, args: [positional(value)], isNew: true }
  }
  return { kind: 'cast', at, type: sourceOf(lowering, type), value }
}

function literalOf(lowering: LoweringContext, body: SyntaxNode, kind: Kind): Expr {
  const at = rangeOf(body)
  const parts = namedChildren(body)
  const isKeyed = kind === 'map' || parts.length === 0 || parts.some(({ type }) => type === 'keyed_element')
  if (kind === 'list' || !isKeyed)
    return { kind: 'list', at, items: parts.map((part) => positional(elementOf(lowering, part))) }
  return { kind: 'map', at, entries: parts.flatMap((part) => entryOf(lowering, part, kind)) }
}

function entryOf(lowering: LoweringContext, node: SyntaxNode, kind: Kind): Entry[] {
  const [key, value] = namedChildren(node)
  if (!key || !value) return []
  // The key of a struct literal is a field name, not a variable.
  const written = sourceOf(lowering, key)
  const isField = kind === 'struct' && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(written)
  return [
    {
      key: isField ? literal(rangeOf(key), written) : elementOf(lowering, key),
      value: elementOf(lowering, value),
    },
  ]
}

/** An element may be a literal without a type, or the value of a key. */
function elementOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  if (node.type === 'literal_value') return literalOf(lowering, node, 'struct')
  if (node.type === 'keyed_element') {
    const value = namedChildren(node)[1]
    return value ? elementOf(lowering, value) : otherExpr(rangeOf(node))
  }
  if (node.type !== 'literal_element') return lowering.expression(node)
  const [inside] = namedChildren(node)
  return inside ? elementOf(lowering, inside) : otherExpr(rangeOf(node))
}
