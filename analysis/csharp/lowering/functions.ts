// Lowers methods, local functions and lambdas.

import type { FunctionDefinition, Parameter, Stmt } from '../../ir.ts'
import { nameExpr, rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { hasModifier, type LoweringContext, text, withPatternVariables } from './context.ts'
import { typeName } from './types.ts'

export type FunctionParts = {
  readonly name: string
  readonly isStatic?: boolean
  readonly isExported?: boolean
  /** Statements before the body. */
  readonly before?: readonly Stmt[]
}

export function functionFrom(
  lowering: LoweringContext,
  node: SyntaxNode,
  { name, isStatic = false, isExported = false, before = [] }: FunctionParts,
): FunctionDefinition {
  const given = childByField(node, 'parameters')
  const body = bodyOf(node)
  return {
    at: rangeOf(node),
    name,
    parameters: given ? parametersOf(lowering, given) : [],
    body: [...before, ...(body ? bodyStatements(lowering, body) : [])],
    annotations: lowering.visit.annotations(lowering, node),
    returnType: typeName(lowering, childByField(node, 'returns') ?? childByField(node, 'type')),
    isExpression: body !== undefined && body.type !== 'block',
    isAsync: hasModifier(lowering, node, 'async'),
    isExported,
    isStatic,
  }
}

const bodyOf = (node: SyntaxNode): SyntaxNode | undefined =>
  childByField(node, 'body') ?? node.children.find(({ type }) => type === 'block')

/** A block, `=> expression`, or the expression of a lambda. */
export function bodyStatements(lowering: LoweringContext, body: SyntaxNode): Stmt[] {
  if (body.type === 'block') return lowering.visit.statements(lowering, namedChildren(body))
  const value = body.type === 'arrow_expression_clause' ? namedChildren(body)[0] : body
  if (!value) return []
  return withPatternVariables(lowering, (own) => [
    { at: rangeOf(value), kind: 'return', value: own.visit.expression(own, value) },
  ])
}

/** A `params` array has no separate node: its type and name are fields of the list. */
export function parametersOf(lowering: LoweringContext, node: SyntaxNode): Parameter[] {
  if (node.type === 'identifier' || node.type === 'implicit_parameter')
    return [parameter(lowering, node, text(lowering, node))]
  const parts: Parameter[] = namedChildren(node)
    .filter(({ type }) => type === 'parameter')
    .map((part) => parameterFrom(lowering, part))
  const rest = childByField(node, 'name')
  if (rest)
    parts.push({
      ...parameter(lowering, rest, text(lowering, rest)),
      type: typeName(lowering, childByField(node, 'type')),
      isRest: true,
    })
  return parts
}

/** The mark of the first parameter of an extension method: `this string text`. */
export const EXTENSION = 'extension'

function parameterFrom(lowering: LoweringContext, node: SyntaxNode): Parameter {
  const name = childByField(node, 'name') ?? node
  const assigned = node.children.findIndex(({ type }) => type === '=')
  const value = assigned === -1 ? undefined : node.children.slice(assigned + 1).find(({ isNamed }) => isNamed)
  const marks = hasModifier(lowering, node, 'this') ? [{ name: EXTENSION, args: [] }] : []
  return {
    ...parameter(lowering, name, text(lowering, name)),
    default: value ? lowering.visit.expression(lowering, value) : null,
    type: typeName(lowering, childByField(node, 'type')),
    annotations: [...marks, ...lowering.visit.annotations(lowering, node)],
  }
}

const parameter = (_lowering: LoweringContext, node: SyntaxNode, name: string): Parameter => ({
  target: nameExpr(rangeOf(node), name),
  default: null,
  type: null,
  isRest: false,
  annotations: [],
})
