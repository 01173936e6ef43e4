// Lowers expressions.

import type { Argument, Entry, Expr } from '../../ir.ts'
import {
  conditionalExpr,
  literal,
  nameExpr,
  otherExpr,
  positional,
  rangeOf,
  wrapperExpr,
} from '../../ir-builders.ts'
import { childByField, childrenByField, type SyntaxNode } from '../../syntax/tree.ts'
import { isComma, type LoweringContext, partsOf, sourceOf, splitAt } from './context.ts'
import { bindingsOf, testOf } from './patterns.ts'
import { applySelectors, argumentsOf, cascadeOf, isSelector } from './selectors.ts'
import { stringOf } from './strings.ts'

/** An object with what follows it. */
export function sequenceOf(lowering: LoweringContext, nodes: readonly SyntaxNode[]): Expr {
  const parts = partsOf(nodes).filter(({ type }) => !IGNORED.has(type))
  const [first, ...rest] = parts
  if (!first) return otherExpr(NOWHERE)
  const sections = rest.filter(({ type }) => type === 'cascade_section')
  const selectors = rest.filter(isSelector)
  const object = applySelectors(lowering, expressionOf(lowering, first), selectors)
  if (sections.length > 0)
    return otherExpr(object.at, [object, ...sections.map((section) => cascadeOf(lowering, object, section))])
  const others = rest.filter((part) => !isSelector(part))
  return others.length === 0
    ? object
    : otherExpr(object.at, [object, ...others.map((part) => expressionOf(lowering, part))])
}

const NOWHERE = { start: 0, end: 0, line: 1, endLine: 1 }
const IGNORED = new Set(['const_builtin', 'type_arguments', 'final_builtin'])

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Expr

export function expressionOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  if (/_expression$/.test(node.type) && !LOWERING[node.type]) return binaryOf(lowering, node)
  const lower = LOWERING[node.type]
  return lower
    ? lower(lowering, node)
    : otherExpr(
        rangeOf(node),
        partsOf(node.children).map((part) => expressionOf(lowering, part)),
      )
}

const inner: Lower = (lowering, node) => wrapperExpr(rangeOf(node), sequenceOf(lowering, node.children))

const field = (lowering: LoweringContext, node: SyntaxNode, name: string): Expr => {
  const parts = childrenByField(node, name)
  return parts.length > 0 ? sequenceOf(lowering, parts) : literal(rangeOf(node), null)
}

const number: Lower = (lowering, node) =>
  literal(rangeOf(node), Number(sourceOf(lowering, node).replaceAll('_', '')))

const LOWERING: Readonly<Record<string, Lower>> = {
  identifier: (lowering, node) => nameExpr(rangeOf(node), sourceOf(lowering, node)),
  type_identifier: (lowering, node) => nameExpr(rangeOf(node), sourceOf(lowering, node)),
  assignable_expression: (lowering, node) => sequenceOf(lowering, node.children),
  this: (_, node) => nameExpr(rangeOf(node), 'this'),
  super: (_, node) => nameExpr(rangeOf(node), 'super'),
  string_literal: stringOf,
  decimal_integer_literal: number,
  decimal_floating_point_literal: number,
  hex_integer_literal: number,
  true: (_, node) => literal(rangeOf(node), true),
  false: (_, node) => literal(rangeOf(node), false),
  null_literal: (_, node) => literal(rangeOf(node), null),
  list_literal: (lowering, node) => ({ kind: 'list', at: rangeOf(node), items: itemsOf(lowering, node) }),
  set_or_map_literal: collectionOf,
  record_literal: (lowering, node) => ({ kind: 'list', at: rangeOf(node), items: itemsOf(lowering, node) }),
  record_field: (lowering, node) =>
    sequenceOf(
      lowering,
      node.children.filter(({ type }) => type !== 'label'),
    ),
  parenthesized_expression: inner,
  spread_element: inner,
  throw_expression: inner,
  function_expression: (lowering, node) => ({
    kind: 'function',
    at: rangeOf(node),
    definition: lowering.closure(lowering, node),
  }),
  new_expression: createdOf,
  const_object_expression: createdOf,
  unary_expression: unaryOf,
  await_expression: (lowering, node) => ({
    kind: 'same',
    at: rangeOf(node),
    value: sequenceOf(lowering, node.children),
    how: 'await',
  }),
  postfix_expression: postfixOf,
  assignment_expression: assignmentOf,
  conditional_expression: (lowering, node) => {
    const test = node.children.slice(
      0,
      node.children.findIndex(({ type }) => type === '?'),
    )
    return conditionalExpr(
      rangeOf(node),
      sequenceOf(lowering, test),
      field(lowering, node, 'consequence'),
      field(lowering, node, 'alternative'),
    )
  },
  if_null_expression: (lowering, node) => ({
    kind: 'binary',
    at: rangeOf(node),
    operator: '??',
    left: field(lowering, node, 'first'),
    right: field(lowering, node, 'second'),
  }),
  type_cast_expression: (lowering, node) => {
    const type = node.children.find((part) => part.type === 'type_cast')
    const value = sequenceOf(
      lowering,
      node.children.filter((part) => part !== type),
    )
    const written = type
      ? sourceOf(lowering, type)
          .replace(/^as\s+/, '')
          .replace(/\?$/, '')
      : ''
    return { kind: 'cast', at: rangeOf(node), type: written, value }
  },
  type_test_expression: (lowering, node) => {
    const test = node.children.find(({ type }) => type === 'type_test')
    const value = sequenceOf(
      lowering,
      node.children.filter((part) => part !== test),
    )
    const written = test ? sourceOf(lowering, test) : ''
    const at = rangeOf(node)
    const right = nameExpr(at, written.replace(/^is!?\s+/, '').replace(/\?$/, ''))
    const is: Expr = { kind: 'binary', at, operator: 'instanceof', left: value, right }
    return /^is!/.test(written) ? { kind: 'unary', at, operator: '!', operand: is } : is
  },
  switch_expression: switchOf,
}

function createdOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const type = node.children.find((part) => part.type === 'type_identifier')
  const list = node.children.find((part) => part.type === 'arguments')
  const name = node.children.find((part) => part.type === 'identifier')
  if (!type) return otherExpr(at)
  const callee = nameExpr(rangeOf(type), sourceOf(lowering, type))
  const args = list ? argumentsOf(lowering, list) : []
  if (name)
    return {
      kind: 'call',
      at,
      callee: { kind: 'member', at, object: callee, property: sourceOf(lowering, name) },
      args,
      isNew: false,
    }
  return { kind: 'call', at, callee, args, isNew: true }
}

function unaryOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const prefix = node.children.find(({ type }) => type === 'prefix_operator')
  if (!prefix) return sequenceOf(lowering, node.children)
  const operand = sequenceOf(
    lowering,
    node.children.filter((part) => part !== prefix),
  )
  return { kind: 'unary', at: rangeOf(node), operator: sourceOf(lowering, prefix).trim(), operand }
}

function postfixOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const target = sequenceOf(
    lowering,
    node.children.filter(({ type }) => type !== 'postfix_operator'),
  )
  return {
    kind: 'assign',
    at,
    target,
    operator: sourceOf(lowering, node).endsWith('--') ? '-' : '+',
    value: literal(at, 1),
  }
}

function assignmentOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const operator = childByField(node, 'operator')
  const written = operator ? sourceOf(lowering, operator).slice(0, -1) : ''
  return {
    kind: 'assign',
    at: rangeOf(node),
    target: field(lowering, node, 'left'),
    operator: written === '' ? null : written,
    value: field(lowering, node, 'right'),
  }
}

const isOperator = ({ type, isNamed }: SyntaxNode): boolean =>
  /_operator$/.test(type) || (!isNamed && /^[&|^<>+\-*/%~=!]+$/.test(type))

function binaryOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const operators = node.children.filter(isOperator)
  const operands = splitAt(node.children, isOperator).map((part) => sequenceOf(lowering, part))
  const [first, ...rest] = operands
  if (!first) return otherExpr(at)
  return rest.reduce<Expr>((left, right, index) => {
    const sign = operators[index]
    return { kind: 'binary', at, operator: sign ? sourceOf(lowering, sign) : '+', left, right }
  }, first)
}

/** Items may be conditional, repeated or spread. */
function itemsOf(lowering: LoweringContext, node: SyntaxNode): Argument[] {
  return groupsOf(node).flatMap((group) => itemOf(lowering, group))
}

const groupsOf = (node: SyntaxNode): SyntaxNode[][] =>
  splitAt(
    node.children.filter(({ type }) => type !== 'type_arguments'),
    isComma,
  ).filter((group) => partsOf(group).length > 0)

function itemOf(lowering: LoweringContext, group: readonly SyntaxNode[]): Argument[] {
  const [first] = partsOf(group)
  if (first?.type === 'if_element')
    return ['consequence', 'alternative'].flatMap((name) => {
      const parts = childrenByField(first, name)
      return parts.length > 0 ? itemOf(lowering, parts) : []
    })
  if (first?.type === 'for_element') {
    const value = field(lowering, first, 'body')
    return [
      { name: null, isSpread: true, value: { kind: 'list', at: rangeOf(first), items: [positional(value)] } },
    ]
  }
  if (first?.type === 'spread_element')
    return [{ name: null, isSpread: true, value: sequenceOf(lowering, first.children) }]
  return [positional(sequenceOf(lowering, group))]
}

function collectionOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const groups = groupsOf(node)
  const entries = groups.flatMap((group) => entriesOf(lowering, group))
  if (groups.length === 0 || entries.some(({ key }) => key !== null)) return { kind: 'map', at, entries }
  return { kind: 'list', at, items: itemsOf(lowering, node) }
}

function entriesOf(lowering: LoweringContext, group: readonly SyntaxNode[]): Entry[] {
  const [first] = partsOf(group)
  if (first?.type === 'pair')
    return [{ key: field(lowering, first, 'key'), value: field(lowering, first, 'value') }]
  if (first?.type === 'spread_element') return [{ key: null, value: sequenceOf(lowering, first.children) }]
  if (first?.type === 'if_element')
    return ['consequence', 'alternative'].flatMap((name) => entriesOf(lowering, childrenByField(first, name)))
  return first?.type === 'for_element' ? entriesOf(lowering, childrenByField(first, 'body')) : []
}

/** `switch (x) { pattern when guard => value, … }` */
function switchOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const subject = field(lowering, node, 'condition')
  const cases = node.children.filter(({ type }) => type === 'switch_expression_case')
  return cases.reduceRight<Expr>((rest, each) => {
    const arrow = each.children.findIndex(({ type }) => type === '=>')
    const [pattern] = partsOf(each.children.slice(0, arrow))
    const value = sequenceOf(lowering, each.children.slice(arrow + 1))
    if (!pattern) return rest
    const bound = bindingsOf(lowering, pattern, subject)
    const test = testOf(lowering, pattern, subject)
    const result = bound.length === 0 ? value : otherExpr(rangeOf(each), [...bound, value])
    return test
      ? conditionalExpr(rangeOf(each), test, result, rest)
      : conditionalExpr(rangeOf(each), otherExpr(rangeOf(each)), result, rest)
  }, otherExpr(at))
}
