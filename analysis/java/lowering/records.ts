// The implicit members of a record: a field and an accessor for each component, and a constructor.

import type { Field, FunctionDefinition, Stmt } from '../../ir.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, memberExpr, nameExpr, rangeOf, text } from './context.ts'
import { functionFrom } from './functions.ts'
import { typeName } from './names.ts'

export function recordMembers(inner: LoweringContext, node: SyntaxNode, members: readonly SyntaxNode[]) {
  const parts = namedChildren(childByField(node, 'parameters') ?? node).filter(
    ({ type }) => type === 'formal_parameter',
  )
  const own = new Set(members.map((member) => text(inner, childByField(member, 'name') ?? member)))
  const hasConstructor = members.some(({ type }) => type === 'constructor_declaration')
  const compact = members.find(({ type }) => type === 'compact_constructor_declaration')
  return {
    fields: parts.map((part) => fieldFrom(inner, part)),
    methods: [
      ...(hasConstructor ? [] : [constructorFrom(inner, node, parts, compact)]),
      ...parts.filter((part) => !own.has(nameOf(inner, part))).map((part) => accessor(inner, part)),
    ],
  }
}

const nameOf = (inner: LoweringContext, part: SyntaxNode): string =>
  text(inner, childByField(part, 'name') ?? part)

function fieldFrom(inner: LoweringContext, part: SyntaxNode): Field {
  return {
    at: rangeOf(part),
    name: nameOf(inner, part),
    type: typeName(inner, childByField(part, 'type')),
    value: null,
    isStatic: false,
    annotations: inner.visit.annotations(inner, part),
  }
}

function constructorFrom(
  inner: LoweringContext,
  node: SyntaxNode,
  parts: readonly SyntaxNode[],
  compact: SyntaxNode | undefined,
): FunctionDefinition {
  const body = compact && childByField(compact, 'body')
  return functionFrom(inner, node, {
    name: 'constructor',
    isStatic: false,
    isExported: false,
    body: (within) => [
      ...(body ? within.visit.statements(within, namedChildren(body)) : []),
      ...parts.map((part) => assignComponent(within, part)),
    ],
  })
}

function assignComponent(within: LoweringContext, part: SyntaxNode): Stmt {
  const at = rangeOf(part)
  const name = nameOf(within, part)
  const target = memberExpr(at, nameExpr(at, 'this'), name)
  return {
    at,
    kind: 'expression',
    value: { at, kind: 'assign', target, operator: null, value: nameExpr(at, name) },
  }
}

function accessor(inner: LoweringContext, part: SyntaxNode): FunctionDefinition {
  const at = rangeOf(part)
  const name = nameOf(inner, part)
  return {
    at,
    name,
    parameters: [],
    body: [{ at, kind: 'return', value: memberExpr(at, nameExpr(at, 'this'), name) }],
    annotations: [],
    returnType: typeName(inner, childByField(part, 'type')),
    isExpression: false,
    isAsync: false,
    isExported: true,
    isStatic: false,
  }
}
