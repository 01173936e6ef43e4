// Lowers methods, constructors and lambdas.

import type { FunctionDefinition, Parameter, Stmt } from '../../ir.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, nameExpr, rangeOf, text, withScope } from './context.ts'
import { typeName } from './names.ts'

export type FunctionParts = {
  readonly name: string
  readonly isStatic: boolean
  readonly isExported: boolean
  readonly isExpression?: boolean
  readonly body: (inner: LoweringContext) => Stmt[]
}

export function functionFrom(
  lowering: LoweringContext,
  node: SyntaxNode,
  parts: FunctionParts,
): FunctionDefinition {
  const { name, isStatic, isExported, isExpression = false } = parts
  const inner = withScope(lowering, { isStatic })
  const given = childByField(node, 'parameters')
  const parameters = given ? parametersOf(inner, given) : []
  return {
    at: rangeOf(node),
    name,
    parameters,
    body: parts.body(inner),
    annotations: lowering.visit.annotations(lowering, node),
    returnType: typeName(lowering, childByField(node, 'type')),
    isExpression,
    isAsync: false,
    isExported,
    isStatic,
  }
}

export function parametersOf(inner: LoweringContext, node: SyntaxNode): Parameter[] {
  // The single parameter of a lambda may have no parentheses.
  const parts = node.type === 'identifier' ? [node] : namedChildren(node)
  return parts.filter(({ type }) => type !== 'receiver_parameter').map((part) => parameterFrom(inner, part))
}

function parameterFrom(inner: LoweringContext, node: SyntaxNode): Parameter {
  const isRest = node.type === 'spread_parameter'
  const name = text(inner, nameNode(node))
  const typeNode = isRest
    ? namedChildren(node).find(({ type }) => type !== 'modifiers' && type !== 'variable_declarator')
    : childByField(node, 'type')
  const type = typeName(inner, typeNode)
  inner.scope.variables.set(name, type)
  const ranks = childByField(node, 'dimensions')?.children.filter((child) => child.type === '[').length ?? 0
  return {
    target: nameExpr(node, name),
    default: null,
    type: type && type + '[]'.repeat(isRest ? ranks + 1 : ranks),
    isRest,
    annotations: inner.visit.annotations(inner, node),
  }
}

function nameNode(node: SyntaxNode): SyntaxNode {
  const declarator = namedChildren(node).find(({ type }) => type === 'variable_declarator')
  return childByField(declarator ?? node, 'name') ?? node
}
