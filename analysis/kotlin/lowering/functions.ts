// Lowers functions and lambdas.

import type { Annotation, FunctionDefinition, Parameter, Stmt } from '../../ir.ts'
import { nameExpr, rangeOf } from '../../ir-builders.ts'
import { namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { childOfType, hasModifier, type LoweringContext, nameText, text } from './context.ts'
import { typeName, typeNodeOf } from './types.ts'

/** The mark of the first parameter of an extension function, which is its receiver. */
export const EXTENSION = 'extension'

export function functionFrom(lowering: LoweringContext, node: SyntaxNode): FunctionDefinition {
  const { name, receiverType } = headOf(lowering, node)
  const inner = receiverType === null ? lowering : { ...lowering, receiver: 'this' }
  const given = childOfType(node, 'function_value_parameters')
  const body = childOfType(node, 'function_body')
  const own = given ? parametersOf(inner, given) : []
  return {
    ...emptyFunction(node),
    name,
    parameters: receiverType === null ? own : [receiverParameter(node, receiverType), ...own],
    body: body ? bodyStatements(inner, body) : [],
    annotations: lowering.visit.annotations(lowering, node),
    returnType: typeName(lowering, resultTypeOf(node)),
    isAsync: hasModifier(lowering, node, 'suspend'),
    isExported: !hasModifier(lowering, node, 'private'),
  }
}

/** `fun String.clean()`: the parser reads the name as the end of the receiver type. */
function headOf(
  lowering: LoweringContext,
  node: SyntaxNode,
): { readonly name: string; readonly receiverType: string | null } {
  const list = node.children.findIndex(({ type }) => type === 'function_value_parameters')
  const before = node.children.slice(0, list === -1 ? node.children.length : list)
  const written = before.find(({ field, type }) => field === 'name' && type === 'identifier')
  const name = written ? nameText(lowering, written) : ''
  const type = before.find((part) => part === typeNodeOf({ ...node, children: before }))
  if (name !== '') return { name, receiverType: type ? typeName(lowering, type) : null }
  const full = type ? nameText(lowering, type).replace(/<[\s\S]*>|\s/g, '') : ''
  const dot = full.lastIndexOf('.')
  return {
    name: full.slice(dot + 1),
    receiverType: dot === -1 ? null : full.slice(0, dot).replace(/\?$/, ''),
  }
}

const receiverParameter = (node: SyntaxNode, type: string): Parameter => ({
  target: nameExpr(rangeOf(node), 'this'),
  default: null,
  type,
  isRest: false,
  annotations: [{ name: EXTENSION, args: [] }],
})

function resultTypeOf(node: SyntaxNode): SyntaxNode | undefined {
  const list = node.children.findIndex(({ type }) => type === 'function_value_parameters')
  return list === -1 ? undefined : typeNodeOf({ ...node, children: node.children.slice(list + 1) })
}

/** `{ … }` or `= expression`. */
export function bodyStatements(lowering: LoweringContext, body: SyntaxNode): Stmt[] {
  const block = childOfType(body, 'block')
  if (block) return lowering.visit.statements(lowering, namedChildren(block))
  const [value] = namedChildren(body)
  return value ? returningLast(lowering, [value]) : []
}

/** The last statement is the result if it is an expression. */
export function returningLast(lowering: LoweringContext, nodes: readonly SyntaxNode[]): Stmt[] {
  const last = nodes.at(-1)
  if (!last || !isValue(last)) return lowering.visit.statements(lowering, nodes)
  const value = lowering.visit.expression(lowering, last)
  return [
    ...lowering.visit.statements(lowering, nodes.slice(0, -1)),
    { at: rangeOf(last), kind: 'return', value },
  ]
}

const isValue = ({ type }: SyntaxNode): boolean =>
  !/_declaration$|^(?:assignment|return_expression|throw_expression|for_statement|while_statement|do_while_statement)$/.test(
    type,
  )

/** Modifiers and defaults of a parameter are siblings before and after it. */
function parametersOf(lowering: LoweringContext, node: SyntaxNode): Parameter[] {
  const found: Parameter[] = []
  let modifiers: SyntaxNode | undefined
  for (const part of node.children) {
    const last = found.at(-1)
    if (part.type === 'parameter_modifiers') modifiers = part
    else if (part.type === 'parameter') {
      found.push(parameterFrom(lowering, part, modifiers))
      modifiers = undefined
    } else if (part.isNamed && last && !part.type.includes('comment'))
      found[found.length - 1] = { ...last, default: lowering.visit.expression(lowering, part) }
  }
  return found
}

export function parameterFrom(
  lowering: LoweringContext,
  node: SyntaxNode,
  modifiers: SyntaxNode | undefined,
): Parameter {
  const name = childOfType(node, 'identifier') ?? node
  const annotations: Annotation[] = modifiers
    ? lowering.visit.annotations(lowering, { ...modifiers, children: [{ ...modifiers, type: 'modifiers' }] })
    : []
  return {
    target: nameExpr(rangeOf(name), nameText(lowering, name)),
    default: null,
    type: typeName(lowering, typeNodeOf(node)),
    isRest: modifiers !== undefined && /\bvararg\b/.test(text(lowering, modifiers)),
    annotations,
  }
}

export const emptyFunction = (node: SyntaxNode): FunctionDefinition => ({
  at: rangeOf(node),
  name: '',
  parameters: [],
  body: [],
  annotations: [],
  returnType: null,
  isExpression: false,
  isAsync: false,
  isExported: false,
  isStatic: false,
})
