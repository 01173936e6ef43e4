// Lowers struct, map and list literals. Types that rules inspect become constructor calls with named
// fields, so that missing fields can be detected.

import type { Entry, Expr } from '../../ir.ts'
import { literal, memberExpr, nameExpr, otherExpr, positional, rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type Reading, sourceOf } from './context.ts'

export function compositeOf(reading: Reading, node: SyntaxNode): Expr {
  const type = childByField(node, 'type')
  const body = childByField(node, 'body')
  const value = body ? literalOf(reading, body, kindOf(type)) : otherExpr(rangeOf(node))
  return type ? ofType(reading, node, type, value) : value
}

/** `make(…)` and `new(T)` are empty. The items of a list with a length are unknown. */
export function emptyOf(
  reading: Reading,
  node: SyntaxNode,
  type: SyntaxNode,
  sizes: readonly SyntaxNode[],
): Expr {
  const at = rangeOf(node)
  if (type.type === 'slice_type') {
    const isEmpty = sizes[0] !== undefined && sourceOf(reading, sizes[0]) === '0'
    if (isEmpty)
      return { kind: 'cast', at, type: sourceOf(reading, type), value: { kind: 'list', at, items: [] } }
    const bounds = sizes.map((size) => reading.expression(size))
    return { kind: 'cast', at, type: sourceOf(reading, type), value: otherExpr(at, bounds) }
  }
  return ofType(reading, node, type, { kind: 'map', at, entries: [] })
}

type Kind = 'list' | 'map' | 'struct'

const LISTS = new Set(['slice_type', 'array_type', 'implicit_length_array_type'])

function kindOf(type: SyntaxNode | undefined): Kind {
  if (type && LISTS.has(type.type)) return 'list'
  return type?.type === 'map_type' ? 'map' : 'struct'
}

/** Types that rules inspect. All others keep their contents. */
const MADE = new Set([
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

function ofType(reading: Reading, node: SyntaxNode, type: SyntaxNode, value: Expr): Expr {
  const at = rangeOf(node)
  const [owner, name] = [childByField(type, 'package'), childByField(type, 'name')]
  if (owner && name && MADE.has(sourceOf(reading, type))) {
    const callee = memberExpr(
      rangeOf(type),
      nameExpr(rangeOf(owner), sourceOf(reading, owner)),
      sourceOf(reading, name),
    )
    return { kind: 'call', at, callee, args: [positional(value)], isNew: true }
  }
  return { kind: 'cast', at, type: sourceOf(reading, type), value }
}

function literalOf(reading: Reading, body: SyntaxNode, kind: Kind): Expr {
  const at = rangeOf(body)
  const parts = namedChildren(body)
  const isKeyed = kind === 'map' || parts.length === 0 || parts.some(({ type }) => type === 'keyed_element')
  if (kind === 'list' || !isKeyed)
    return { kind: 'list', at, items: parts.map((part) => positional(elementOf(reading, part))) }
  return { kind: 'map', at, entries: parts.flatMap((part) => entryOf(reading, part, kind)) }
}

function entryOf(reading: Reading, node: SyntaxNode, kind: Kind): Entry[] {
  const [key, value] = namedChildren(node)
  if (!key || !value) return []
  // The key of a struct literal is a field name, not a variable.
  const written = sourceOf(reading, key)
  const isField = kind === 'struct' && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(written)
  return [
    {
      key: isField ? literal(rangeOf(key), written) : elementOf(reading, key),
      value: elementOf(reading, value),
    },
  ]
}

/** An element may be a literal without a type, or the value of a key. */
function elementOf(reading: Reading, node: SyntaxNode): Expr {
  if (node.type === 'literal_value') return literalOf(reading, node, 'struct')
  if (node.type === 'keyed_element') {
    const value = namedChildren(node)[1]
    return value ? elementOf(reading, value) : otherExpr(rangeOf(node))
  }
  if (node.type !== 'literal_element') return reading.expression(node)
  const [inside] = namedChildren(node)
  return inside ? elementOf(reading, inside) : otherExpr(rangeOf(node))
}
