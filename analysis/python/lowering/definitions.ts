// Lowers functions and classes with their decorators.

import type { Annotation, ClassDefinition, Expr, Field, FunctionDefinition, Stmt } from '../../ir.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, nameExpr, rangeOf, sourceOf } from './context.ts'
import { callArguments, expression } from './expressions.ts'
import { parameters, typeText, withDeclarations } from './variables.ts'

type LowerBody = (lowering: LoweringContext, nodes: readonly SyntaxNode[]) => Stmt[]

/** Where a definition occurs. */
export type DefinitionScope = 'file' | 'class' | 'function'

export function functionOf(
  lowering: LoweringContext,
  node: SyntaxNode,
  annotations: readonly Annotation[],
  inside: DefinitionScope,
  lower: LowerBody,
): FunctionDefinition {
  const named = nameOf(lowering, node)
  const taken = parameters(lowering, childByField(node, 'parameters'), expression)
  const body = childByField(node, 'body')
  const returnType = childByField(node, 'return_type')
  return {
    at: rangeOf(node),
    name: named,
    parameters: taken,
    body: withDeclarations(rangeOf(node), lower(lowering, body ? namedChildren(body) : []), taken),
    annotations,
    returnType: returnType ? typeText(sourceOf(lowering, returnType)) : null,
    isExpression: false,
    isAsync: node.children.some(({ type }) => type === 'async'),
    isExported: inside !== 'function' && (!named.startsWith('_') || CALLED_FROM_OUTSIDE.has(named)),
    isStatic: annotations.some(({ name }) => name === 'staticmethod'),
  }
}

export function classOf(
  lowering: LoweringContext,
  node: SyntaxNode,
  annotations: readonly Annotation[],
  lower: LowerBody,
): ClassDefinition {
  const bases = callArguments(lowering, childByField(node, 'superclasses'))
  const body = childByField(node, 'body')
  const members = body ? namedChildren(body) : []
  const named = bases.flatMap(({ name, value }) =>
    name === null ? [sourceOf(lowering, value.at).replace(/\[.*$/s, '')] : [],
  )
  return {
    at: rangeOf(node),
    name: nameOf(lowering, node),
    bases: named,
    annotations,
    methods: members.flatMap((member) => methodsOf(lowering, member, lower)),
    fields: [...members.flatMap((member) => fieldsOf(lowering, member)), ...requestOf(node, named)],
  }
}

/** The framework sets the request on a view before it calls a method. */
function requestOf(node: SyntaxNode, bases: readonly string[]): Field[] {
  const at = rangeOf(childByField(node, 'superclasses') ?? node)
  const field = (called: string, type: string | null, value: Expr | null): Field => ({
    at,
    name: called,
    type,
    value,
    isStatic: false,
    annotations: [],
  })
  if (bases.some((base) => /HTTPRequestHandler$/.test(base)))
    return HANDLER_REQUEST_FIELDS.map((property) =>
      field(property, null, { kind: 'member', at, object: nameExpr(at, HANDLER_REQUEST), property }),
    )
  return bases.some((base) => VIEW_CLASS.test(base)) ? [field('request', REQUEST_TYPE, null)] : []
}

/** The attributes of an `http.server` handler that contain the request. */
export const HANDLER_REQUEST_FIELDS = ['path', 'headers', 'rfile', 'requestline']
export const HANDLER_REQUEST = '$request'

/** Names of classes that handle requests, in any framework. */
export const VIEW_CLASS =
  /(?:^|\.)(?:\w*View|\w*ViewSet|MethodView|Resource|RequestHandler|\w*Handler|HTTPEndpoint|HTTPMethodView)$/

/** The request type for frameworks that pass it as an argument or set it on the view. */
export const REQUEST_TYPE = 'web.HttpRequest'

/** `@app.route('/x', methods=['POST'])` before a definition. */
export function annotationsOf(lowering: LoweringContext, decorated: SyntaxNode): Annotation[] {
  return namedChildren(decorated).flatMap((part) => {
    const [written] = part.type === 'decorator' ? namedChildren(part) : []
    if (!written) return []
    const callee = written.type === 'call' ? childByField(written, 'function') : written
    const args = written.type === 'call' ? callArguments(lowering, childByField(written, 'arguments')) : []
    return callee ? [{ name: sourceOf(lowering, callee), args }] : []
  })
}

function methodsOf(lowering: LoweringContext, member: SyntaxNode, lower: LowerBody): FunctionDefinition[] {
  if (member.type === 'if_statement' || member.type === 'block')
    return member.children.flatMap((child) => methodsOf(lowering, child, lower))
  const defined = member.type === 'decorated_definition' ? childByField(member, 'definition') : member
  if (defined?.type !== 'function_definition') return []
  const annotations = member === defined ? [] : annotationsOf(lowering, member)
  return [functionOf(lowering, defined, annotations, 'class', lower)]
}

function fieldsOf(lowering: LoweringContext, member: SyntaxNode): Field[] {
  const [written] = member.type === 'expression_statement' ? namedChildren(member) : []
  const left = written?.type === 'assignment' ? childByField(written, 'left') : undefined
  if (!written || left?.type !== 'identifier') return []
  const [type, right] = [childByField(written, 'type'), childByField(written, 'right')]
  return [
    {
      at: rangeOf(written),
      name: sourceOf(lowering, left),
      type: type ? typeText(sourceOf(lowering, type)) : null,
      value: right ? expression(lowering, right) : null,
      isStatic: true,
      annotations: [],
    },
  ]
}

const nameOf = (lowering: LoweringContext, node: SyntaxNode): string => {
  const named = childByField(node, 'name')
  return named ? sourceOf(lowering, named) : ''
}

const CALLED_FROM_OUTSIDE = new Set(['__init__', '__call__', '__new__', '__getitem__', '__setitem__'])
