// Lowers expressions.

import type { Argument, Entry, Expr } from '../../ir.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { comprehension } from './comprehensions.ts'
import {
  argument,
  assign,
  call,
  isComment,
  type Lowering,
  literal,
  name,
  other,
  placeOf,
  sourceOf,
} from './context.ts'
import { binary, boolean, comparison, unary } from './operators.ts'
import { parameters } from './parameters.ts'
import { contentOf, isNumberSpec, joined } from './strings.ts'
import { target } from './targets.ts'

export function expression(from: Lowering, node: SyntaxNode | undefined): Expr {
  if (!node) return other({ start: 0, end: 0, line: 1, endLine: 1 }, [])
  const lower = LOWER[node.type]
  return lower ? lower(from, node) : other(placeOf(node), each(from, namedChildren(node)))
}

export const expressions = (from: Lowering, nodes: readonly SyntaxNode[]): Expr[] => each(from, nodes)

/** The arguments of a call, or the bases of a class. */
export function callArguments(from: Lowering, node: SyntaxNode | undefined): Argument[] {
  if (!node) return []
  if (node.type === 'generator_expression') return [argument(expression(from, node))]
  return namedChildren(node).map((part) => oneArgument(from, part))
}

function oneArgument(from: Lowering, node: SyntaxNode): Argument {
  if (node.type === 'keyword_argument') {
    const named = childByField(node, 'name')
    return argument(expression(from, childByField(node, 'value')), named ? sourceOf(from, named) : null)
  }
  const isEntries = node.type === 'dictionary_splat'
  if (node.type !== 'list_splat' && !isEntries) return argument(expression(from, node))
  const value = expression(from, namedChildren(node)[0])
  return { name: isEntries ? '**' : null, isSpread: true, value }
}

type Lower = (from: Lowering, node: SyntaxNode) => Expr

const each = (from: Lowering, nodes: readonly SyntaxNode[]): Expr[] =>
  nodes.map((node) => expression(from, node))

const inside: Lower = (from, node) => {
  const parts = namedChildren(node)
  return parts.length === 1 ? expression(from, parts[0]) : other(placeOf(node), each(from, parts))
}

const list: Lower = (from, node) => ({
  kind: 'list',
  at: placeOf(node),
  items: namedChildren(node).map((part) => oneArgument(from, part)),
})

const same =
  (how: 'await' | 'yield' | 'wrap'): Lower =>
  (from, node) => {
    const [value] = namedChildren(node)
    const at = placeOf(node)
    return { kind: 'same', at, how, value: value ? expression(from, value) : literal(at, null) }
  }

const identifier: Lower = (from, node) => name(placeOf(node), sourceOf(from, node))

const attribute: Lower = (from, node) => {
  const property = childByField(node, 'attribute')
  return {
    kind: 'member',
    at: placeOf(node),
    object: expression(from, childByField(node, 'object')),
    property: property ? sourceOf(from, property) : '',
  }
}

const subscript: Lower = (from, node) => {
  const keys = childrenByField(node, 'subscript')
  const [only] = keys
  const object = expression(from, childByField(node, 'value'))
  const at = placeOf(node)
  if (keys.length === 1 && only?.type === 'slice') return slice(from, only, at, object)
  if (keys.length === 1) return { kind: 'index', at, object, key: expression(from, only) }
  return { kind: 'index', at, object, key: other(at, each(from, keys)) }
}

/**
 * `x[1:2]` becomes a call that the model evaluates, because strings and lists are sliced the same way. The
 * step is dropped.
 */
function slice(from: Lowering, node: SyntaxNode, at: Expr['at'], object: Expr): Expr {
  const bounds: SyntaxNode[][] = [[]]
  for (const child of node.children) child.type === ':' ? bounds.push([]) : bounds.at(-1)?.push(child)
  const [start, end] = [0, 1].map((index) => {
    const bound = bounds[index]?.find((child) => !isComment(child))
    return bound ? expression(from, bound) : literal(at, null)
  })
  const args = [start ?? literal(at, null), end ?? literal(at, null)]
  if (bounds.length > 2) args[0] = other(at, [])
  return call(at, { kind: 'member', at, object, property: '__slice__' }, args)
}

const calling: Lower = (from, node) => ({
  kind: 'call',
  at: placeOf(node),
  callee: expression(from, childByField(node, 'function')),
  args: callArguments(from, childByField(node, 'arguments')),
  isNew: false,
})

const dictionary: Lower = (from, node) => {
  const entries = namedChildren(node).map(
    (part): Entry =>
      part.type === 'pair'
        ? {
            key: expression(from, childByField(part, 'key')),
            value: expression(from, childByField(part, 'value')),
          }
        : { key: null, value: expression(from, namedChildren(part)[0]) },
  )
  return { kind: 'map', at: placeOf(node), entries }
}

const conditional: Lower = (from, node) => {
  const [then, test, otherwise] = each(from, namedChildren(node))
  if (!then || !test || !otherwise) return other(placeOf(node), [])
  return { kind: 'conditional', at: placeOf(node), test, then, otherwise }
}

const lambda: Lower = (from, node) => {
  const body = childByField(node, 'body')
  const value = expression(from, body)
  const at = placeOf(node)
  return {
    kind: 'function',
    at,
    definition: {
      at,
      name: '',
      parameters: parameters(from, childByField(node, 'parameters'), expression),
      body: [{ kind: 'return', at: value.at, value }],
      annotations: [],
      returnType: null,
      isExpression: false,
      isAsync: false,
      isExported: false,
      isStatic: false,
    },
  }
}

const walrus: Lower = (from, node) =>
  assign(
    placeOf(node),
    target(from, childByField(node, 'name'), expression),
    expression(from, childByField(node, 'value')),
  )

const text: Lower = (from, node) => {
  const opening = node.children.find(({ type }) => type === 'string_start')
  const prefix = opening ? sourceOf(from, opening) : ''
  const parts = node.children.flatMap((child): Expr[] => {
    if (child.type === 'string_content')
      return [literal(placeOf(child), contentOf(sourceOf(from, child), prefix))]
    return child.type === 'interpolation' ? [interpolation(from, child)] : []
  })
  return joined(placeOf(node), parts)
}

const interpolation: Lower = (from, node) => {
  const value = expression(from, childByField(node, 'expression'))
  const format = childByField(node, 'format_specifier')
  const isNumber = format !== undefined && isNumberSpec(sourceOf(from, format))
  return isNumber ? { kind: 'cast', at: placeOf(node), type: 'float', value } : value
}

const number: Lower = (from, node) => {
  const digits = sourceOf(from, node)
    .replaceAll('_', '')
    .replace(/[lLjJ]$/, '')
  const value = Number(/^0\d+$/.test(digits) ? `0o${digits}` : digits)
  return literal(placeOf(node), Number.isNaN(value) ? 0 : value)
}

const constant =
  (value: boolean | null): Lower =>
  (_from, node) =>
    literal(placeOf(node), value)

const comprehended: Lower = (from, node) => comprehension(from, node, expression)

const LOWER: Readonly<Record<string, Lower | undefined>> = {
  identifier,
  attribute,
  subscript,
  call: calling,
  dictionary,
  list,
  tuple: list,
  set: list,
  expression_list: list,
  parenthesized_expression: inside,
  expression_statement: inside,
  conditional_expression: conditional,
  lambda,
  named_expression: walrus,
  string: text,
  concatenated_string: (from, node) =>
    joined(
      placeOf(node),
      each(
        from,
        node.children.filter((child) => !isComment(child)),
      ),
    ),
  integer: number,
  float: number,
  true: constant(true),
  false: constant(false),
  none: constant(null),
  await: same('await'),
  yield: same('yield'),
  list_splat: same('wrap'),
  list_comprehension: comprehended,
  set_comprehension: comprehended,
  generator_expression: comprehended,
  dictionary_comprehension: comprehended,
  binary_operator: (from, node) => binary(from, node, expression),
  boolean_operator: (from, node) => boolean(from, node, expression),
  not_operator: (from, node) => unary(from, node, expression),
  unary_operator: (from, node) => unary(from, node, expression),
  comparison_operator: (from, node) => comparison(from, node, expression),
  dotted_name: (from, node) => dotted(from, node),
  type: inside,
}

/** `a.b.c` in patterns of `match`. */
function dotted(from: Lowering, node: SyntaxNode): Expr {
  const [first, ...rest] = namedChildren(node)
  return rest.reduce<Expr>(
    (object, part) => ({ kind: 'member', at: placeOf(node), object, property: sourceOf(from, part) }),
    expression(from, first),
  )
}

export const printed = (from: Lowering, node: SyntaxNode, named: string): Expr =>
  call(placeOf(node), name(placeOf(node), named), each(from, namedChildren(node)))
