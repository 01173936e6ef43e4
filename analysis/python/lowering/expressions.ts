// Lowers expressions.

import type { Argument, Entry, Expr } from '../../ir.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { comprehension } from './comprehensions.ts'
import {
  argument,
  assignExpr,
  callExpr,
  isComment,
  type LoweringContext,
  literal,
  nameExpr,
  otherExpr,
  rangeOf,
  sourceOf,
} from './context.ts'
import { binary, boolean, comparison, unary } from './operators.ts'
import { concatenation, contentOf, isNumberSpec } from './strings.ts'
import { parameters, target } from './variables.ts'

export function expression(lowering: LoweringContext, node: SyntaxNode | undefined): Expr {
  if (!node) return otherExpr({ start: 0, end: 0, line: 1, endLine: 1 }, [])
  const lower = LOWER[node.type]
  return lower ? lower(lowering, node) : otherExpr(rangeOf(node), each(lowering, namedChildren(node)))
}

export const expressions = (lowering: LoweringContext, nodes: readonly SyntaxNode[]): Expr[] =>
  each(lowering, nodes)

/** The arguments of a call, or the bases of a class. */
export function callArguments(lowering: LoweringContext, node: SyntaxNode | undefined): Argument[] {
  if (!node) return []
  if (node.type === 'generator_expression') return [argument(expression(lowering, node))]
  return namedChildren(node).map((part) => oneArgument(lowering, part))
}

function oneArgument(lowering: LoweringContext, node: SyntaxNode): Argument {
  if (node.type === 'keyword_argument') {
    const named = childByField(node, 'name')
    return argument(
      expression(lowering, childByField(node, 'value')),
      named ? sourceOf(lowering, named) : null,
    )
  }
  const isEntries = node.type === 'dictionary_splat'
  if (node.type !== 'list_splat' && !isEntries) return argument(expression(lowering, node))
  const value = expression(lowering, namedChildren(node)[0])
  return { name: isEntries ? '**' : null, isSpread: true, value }
}

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Expr

const each = (lowering: LoweringContext, nodes: readonly SyntaxNode[]): Expr[] =>
  nodes.map((node) => expression(lowering, node))

const inside: Lower = (lowering, node) => {
  const parts = namedChildren(node)
  return parts.length === 1 ? expression(lowering, parts[0]) : otherExpr(rangeOf(node), each(lowering, parts))
}

const list: Lower = (lowering, node) => ({
  kind: 'list',
  at: rangeOf(node),
  items: namedChildren(node).map((part) => oneArgument(lowering, part)),
})

const same =
  (how: 'await' | 'yield' | 'wrap'): Lower =>
  (lowering, node) => {
    const [value] = namedChildren(node)
    const at = rangeOf(node)
    return { kind: 'same', at, how, value: value ? expression(lowering, value) : literal(at, null) }
  }

const identifier: Lower = (lowering, node) => nameExpr(rangeOf(node), sourceOf(lowering, node))

const attribute: Lower = (lowering, node) => {
  const property = childByField(node, 'attribute')
  return {
    kind: 'member',
    at: rangeOf(node),
    object: expression(lowering, childByField(node, 'object')),
    property: property ? sourceOf(lowering, property) : '',
  }
}

const subscript: Lower = (lowering, node) => {
  const keys = childrenByField(node, 'subscript')
  const [only] = keys
  const object = expression(lowering, childByField(node, 'value'))
  const at = rangeOf(node)
  if (keys.length === 1 && only?.type === 'slice') return slice(lowering, only, at, object)
  if (keys.length === 1) return { kind: 'index', at, object, key: expression(lowering, only) }
  return { kind: 'index', at, object, key: otherExpr(at, each(lowering, keys)) }
}

/**
 * `x[1:2]` becomes a call that the model evaluates, because strings and lists are sliced the same way. The
 * step is dropped.
 */
function slice(lowering: LoweringContext, node: SyntaxNode, at: Expr['at'], object: Expr): Expr {
  const bounds: SyntaxNode[][] = [[]]
  for (const child of node.children) child.type === ':' ? bounds.push([]) : bounds.at(-1)?.push(child)
  const [start, end] = [0, 1].map((index) => {
    const bound = bounds[index]?.find((child) => !isComment(child))
    return bound ? expression(lowering, bound) : literal(at, null)
  })
  const args = [start ?? literal(at, null), end ?? literal(at, null)]
  if (bounds.length > 2) args[0] = otherExpr(at, [])
  return callExpr(at, { kind: 'member', at, object, property: '__slice__' }, args)
}

const calling: Lower = (lowering, node) => ({
  kind: 'call',
  at: rangeOf(node),
  callee: expression(lowering, childByField(node, 'function')),
  args: callArguments(lowering, childByField(node, 'arguments')),
  isNew: false,
})

const dictionary: Lower = (lowering, node) => {
  const entries = namedChildren(node).map(
    (part): Entry =>
      part.type === 'pair'
        ? {
            key: expression(lowering, childByField(part, 'key')),
            value: expression(lowering, childByField(part, 'value')),
          }
        : { key: null, value: expression(lowering, namedChildren(part)[0]) },
  )
  return { kind: 'map', at: rangeOf(node), entries }
}

const conditional: Lower = (lowering, node) => {
  const [then, test, otherwise] = each(lowering, namedChildren(node))
  if (!then || !test || !otherwise) return otherExpr(rangeOf(node), [])
  return { kind: 'conditional', at: rangeOf(node), test, then, otherwise }
}

const lambda: Lower = (lowering, node) => {
  const body = childByField(node, 'body')
  const value = expression(lowering, body)
  const at = rangeOf(node)
  return {
    kind: 'function',
    at,
    definition: {
      at,
      name: '',
      parameters: parameters(lowering, childByField(node, 'parameters'), expression),
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

const walrus: Lower = (lowering, node) =>
  assignExpr(
    rangeOf(node),
    target(lowering, childByField(node, 'name'), expression),
    expression(lowering, childByField(node, 'value')),
  )

const text: Lower = (lowering, node) => {
  const opening = node.children.find(({ type }) => type === 'string_start')
  const prefix = opening ? sourceOf(lowering, opening) : ''
  const parts = node.children.flatMap((child): Expr[] => {
    if (child.type === 'string_content')
      return [literal(rangeOf(child), contentOf(sourceOf(lowering, child), prefix))]
    return child.type === 'interpolation' ? [interpolation(lowering, child)] : []
  })
  return concatenation(rangeOf(node), parts)
}

const interpolation: Lower = (lowering, node) => {
  const value = expression(lowering, childByField(node, 'expression'))
  const format = childByField(node, 'format_specifier')
  const isNumber = format !== undefined && isNumberSpec(sourceOf(lowering, format))
  return isNumber ? { kind: 'cast', at: rangeOf(node), type: 'float', value } : value
}

const number: Lower = (lowering, node) => {
  const digits = sourceOf(lowering, node)
    .replaceAll('_', '')
    .replace(/[lLjJ]$/, '')
  const value = Number(/^0\d+$/.test(digits) ? `0o${digits}` : digits)
  return literal(rangeOf(node), Number.isNaN(value) ? 0 : value)
}

const constant =
  (value: boolean | null): Lower =>
  (_from, node) =>
    literal(rangeOf(node), value)

const lowerComprehension: Lower = (lowering, node) => comprehension(lowering, node, expression)

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
  concatenated_string: (lowering, node) =>
    concatenation(
      rangeOf(node),
      each(
        lowering,
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
  list_comprehension: lowerComprehension,
  set_comprehension: lowerComprehension,
  generator_expression: lowerComprehension,
  dictionary_comprehension: lowerComprehension,
  binary_operator: (lowering, node) => binary(lowering, node, expression),
  boolean_operator: (lowering, node) => boolean(lowering, node, expression),
  not_operator: (lowering, node) => unary(lowering, node, expression),
  unary_operator: (lowering, node) => unary(lowering, node, expression),
  comparison_operator: (lowering, node) => comparison(lowering, node, expression),
  dotted_name: (lowering, node) => dotted(lowering, node),
  type: inside,
}

/** `a.b.c` in patterns of `match`. */
function dotted(lowering: LoweringContext, node: SyntaxNode): Expr {
  const [first, ...rest] = namedChildren(node)
  return rest.reduce<Expr>(
    (object, part) => ({ kind: 'member', at: rangeOf(node), object, property: sourceOf(lowering, part) }),
    expression(lowering, first),
  )
}

export const printCall = (lowering: LoweringContext, node: SyntaxNode, named: string): Expr =>
  callExpr(rangeOf(node), nameExpr(rangeOf(node), named), each(lowering, namedChildren(node)))
