// Lowers functions, closures and parameters.

import type { Annotation, Expr, FunctionDefinition, Parameter, Stmt } from '../../ir.ts'
import { expressionStatement, memberExpr, nameExpr, rangeOf } from '../../ir-builders.ts'
import { childByField, type SyntaxNode } from '../../syntax/tree.ts'
import { isComma, type LoweringContext, partsOf, sourceOf } from './context.ts'

export type FunctionParts = {
  readonly name: string
  readonly at: SyntaxNode
  readonly list: SyntaxNode | undefined
  readonly body: SyntaxNode | undefined
  readonly isStatic?: boolean
  readonly annotations?: readonly Annotation[]
  /** Statements before the body, such as those of `this.name` parameters. */
  readonly before?: readonly Stmt[]
  readonly returnType?: string | null
}

export function functionFrom(lowering: LoweringContext, parts: FunctionParts): FunctionDefinition {
  const { name, at, list, body, isStatic = false, annotations = [], before = [], returnType = null } = parts
  const parameters = list ? parametersOf(lowering, list) : []
  const fields = list ? fieldAssignments(lowering, list) : []
  const inner = bodyOf(lowering, body)
  const isExpression = inner.isExpression && before.length === 0 && fields.length === 0
  return {
    at: { ...rangeOf(at), ...(body && { end: body.end, endLine: body.endLine }) },
    name,
    parameters,
    body: [...before, ...fields, ...inner.body],
    annotations,
    returnType,
    isExpression,
    isAsync: body?.children.some(({ type }) => type === 'async') ?? false,
    isExported: name !== '' && !name.startsWith('_'),
    isStatic,
  }
}

/** A block, or the expression after `=>`. */
function bodyOf(
  lowering: LoweringContext,
  body: SyntaxNode | undefined,
): { readonly body: Stmt[]; readonly isExpression: boolean } {
  const parts = body ? partsOf(body.children) : []
  const [first] = parts
  if (!first) return { body: [], isExpression: false }
  if (first.type === 'block')
    return { body: lowering.statements(lowering, partsOf(first.children)), isExpression: false }
  return {
    body: [expressionStatement(rangeOf(first), lowering.sequence(lowering, parts))],
    isExpression: true,
  }
}

/** `(a) => …`, `(a) async { … }` and local functions. */
export function closureOf(lowering: LoweringContext, node: SyntaxNode): FunctionDefinition {
  const signature = childByField(node, 'parameters')
  const isSignature = signature?.type === 'function_signature'
  const name = isSignature ? childByField(signature, 'name') : undefined
  return functionFrom(lowering, {
    name: name ? sourceOf(lowering, name) : '',
    at: node,
    list: isSignature ? listIn(signature) : signature,
    body: childByField(node, 'body'),
  })
}

export const listIn = (node: SyntaxNode): SyntaxNode | undefined =>
  node.children.find(({ type }) => type === 'formal_parameter_list')

type Written = { readonly node: SyntaxNode; readonly initial: readonly SyntaxNode[] }

/** The parameters with their default values, which follow them. */
function writtenIn(list: SyntaxNode): Written[] {
  const all: { node: SyntaxNode; initial: SyntaxNode[] }[] = []
  for (const part of list.children) {
    if (part.type === 'optional_formal_parameters')
      all.push(...writtenIn(part).map((each) => ({ ...each, initial: [...each.initial] })))
    else if (part.type === 'formal_parameter') all.push({ node: part, initial: [] })
    else if (part.isNamed && !isComma(part) && part.type !== 'annotation' && !part.type.includes('comment'))
      all.at(-1)?.initial.push(part)
  }
  return all
}

const nameIn = (node: SyntaxNode): SyntaxNode | undefined => {
  const inner = node.children.find(
    ({ type }) => type === 'constructor_param' || type === 'super_formal_parameter',
  )
  const of = inner ?? node
  return childByField(of, 'name') ?? of.children.findLast(({ type }) => type === 'identifier')
}

function parametersOf(lowering: LoweringContext, list: SyntaxNode): Parameter[] {
  return writtenIn(list).map(({ node, initial }): Parameter => {
    const name = nameIn(node)
    const target: Expr = nameExpr(rangeOf(name ?? node), name ? sourceOf(lowering, name) : '_')
    return {
      target,
      default: initial.length > 0 ? lowering.sequence(lowering, initial) : null,
      type: name ? typeBefore(lowering, node, name) : null,
      isRest: false,
      annotations: annotationsIn(lowering, node.children),
    }
  })
}

/** The type is everything before the name, except for modifiers. */
function typeBefore({ tree }: LoweringContext, node: SyntaxNode, name: SyntaxNode): string | null {
  const written = tree.text
    .slice(node.start, name.start)
    .replace(/@\w+(?:\([^)]*\))?|\b(?:required|final|covariant|const|var|late)\b|\b(?:this|super)\./g, '')
    .trim()
  return written === '' || /[(\n]/.test(written) ? null : written.replace(/\?$/, '')
}

/** `A(this.name)` assigns the field. */
function fieldAssignments(lowering: LoweringContext, list: SyntaxNode): Stmt[] {
  return writtenIn(list).flatMap(({ node }): Stmt[] => {
    const name = nameIn(node)
    if (!name || !node.children.some(({ type }) => type === 'constructor_param')) return []
    const at = rangeOf(name)
    const written = sourceOf(lowering, name)
    const target = memberExpr(at, nameExpr(at, 'this'), written)
    return [
      expressionStatement(at, { kind: 'assign', at, target, operator: null, value: nameExpr(at, written) }),
    ]
  })
}

export function annotationsIn(lowering: LoweringContext, nodes: readonly SyntaxNode[]): Annotation[] {
  return nodes
    .filter(({ type }) => type === 'annotation')
    .map((node) => {
      const name = childByField(node, 'name')
      const list = node.children.find(({ type }) => type === 'arguments')
      const args = list ? partsOf(list.children).filter(({ type }) => type === 'argument') : []
      return {
        name: name ? sourceOf(lowering, name) : '',
        args: args.map((arg) => ({
          name: null,
          isSpread: false,
          value: lowering.sequence(lowering, partsOf(arg.children)),
        })),
      }
    })
}
