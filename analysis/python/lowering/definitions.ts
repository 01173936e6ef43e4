// Lowers functions and classes with their decorators.

import type { Annotation, ClassDefinition, Expr, Field, FunctionDefinition, Stmt } from '../../ir.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type Lowering, name, placeOf, sourceOf } from './context.ts'
import { callArguments, expression } from './expressions.ts'
import { parameters, typeText } from './parameters.ts'
import { withDeclarations } from './variables.ts'

type LowerBody = (from: Lowering, nodes: readonly SyntaxNode[]) => Stmt[]

/** Where a definition occurs. */
export type Inside = 'file' | 'class' | 'function'

export function functionOf(
  from: Lowering,
  node: SyntaxNode,
  annotations: readonly Annotation[],
  inside: Inside,
  lower: LowerBody,
): FunctionDefinition {
  const named = nameOf(from, node)
  const taken = parameters(from, childByField(node, 'parameters'), expression)
  const body = childByField(node, 'body')
  const returnType = childByField(node, 'return_type')
  return {
    at: placeOf(node),
    name: named,
    parameters: taken,
    body: withDeclarations(placeOf(node), lower(from, body ? namedChildren(body) : []), taken),
    annotations,
    returnType: returnType ? typeText(sourceOf(from, returnType)) : null,
    isExpression: false,
    isAsync: node.children.some(({ type }) => type === 'async'),
    isExported: inside !== 'function' && (!named.startsWith('_') || CALLED_FROM_OUTSIDE.has(named)),
    isStatic: annotations.some(({ name }) => name === 'staticmethod'),
  }
}

export function classOf(
  from: Lowering,
  node: SyntaxNode,
  annotations: readonly Annotation[],
  lower: LowerBody,
): ClassDefinition {
  const bases = callArguments(from, childByField(node, 'superclasses'))
  const body = childByField(node, 'body')
  const members = body ? namedChildren(body) : []
  const named = bases.flatMap(({ name, value }) =>
    name === null ? [sourceOf(from, value.at).replace(/\[.*$/s, '')] : [],
  )
  return {
    at: placeOf(node),
    name: nameOf(from, node),
    bases: named,
    annotations,
    methods: members.flatMap((member) => methodsOf(from, member, lower)),
    fields: [...members.flatMap((member) => fieldsOf(from, member)), ...requestOf(node, named)],
  }
}

/** The framework sets the request on a view before it calls a method. */
function requestOf(node: SyntaxNode, bases: readonly string[]): Field[] {
  const at = placeOf(childByField(node, 'superclasses') ?? node)
  const field = (called: string, type: string | null, value: Expr | null): Field => ({
    at,
    name: called,
    type,
    value,
    isStatic: false,
    annotations: [],
  })
  if (bases.some((base) => /HTTPRequestHandler$/.test(base)))
    return SENT.map((property) =>
      field(property, null, { kind: 'member', at, object: name(at, SENT_WITH), property }),
    )
  return bases.some((base) => VIEWS.test(base)) ? [field('request', REQUEST_TYPE, null)] : []
}

/** The attributes of an `http.server` handler that contain the request. */
export const SENT = ['path', 'headers', 'rfile', 'requestline']
export const SENT_WITH = '$request'

/** Names of classes that handle requests, in any framework. */
export const VIEWS =
  /(?:^|\.)(?:\w*View|\w*ViewSet|MethodView|Resource|RequestHandler|\w*Handler|HTTPEndpoint|HTTPMethodView)$/

/** The request type for frameworks that pass it as an argument or set it on the view. */
export const REQUEST_TYPE = 'web.HttpRequest'

/** `@app.route('/x', methods=['POST'])` before a definition. */
export function annotationsOf(from: Lowering, decorated: SyntaxNode): Annotation[] {
  return namedChildren(decorated).flatMap((part) => {
    const [written] = part.type === 'decorator' ? namedChildren(part) : []
    if (!written) return []
    const callee = written.type === 'call' ? childByField(written, 'function') : written
    const args = written.type === 'call' ? callArguments(from, childByField(written, 'arguments')) : []
    return callee ? [{ name: sourceOf(from, callee), args }] : []
  })
}

function methodsOf(from: Lowering, member: SyntaxNode, lower: LowerBody): FunctionDefinition[] {
  if (member.type === 'if_statement' || member.type === 'block')
    return member.children.flatMap((child) => methodsOf(from, child, lower))
  const defined = member.type === 'decorated_definition' ? childByField(member, 'definition') : member
  if (defined?.type !== 'function_definition') return []
  const annotations = member === defined ? [] : annotationsOf(from, member)
  return [functionOf(from, defined, annotations, 'class', lower)]
}

function fieldsOf(from: Lowering, member: SyntaxNode): Field[] {
  const [written] = member.type === 'expression_statement' ? namedChildren(member) : []
  const left = written?.type === 'assignment' ? childByField(written, 'left') : undefined
  if (!written || left?.type !== 'identifier') return []
  const [type, right] = [childByField(written, 'type'), childByField(written, 'right')]
  return [
    {
      at: placeOf(written),
      name: sourceOf(from, left),
      type: type ? typeText(sourceOf(from, type)) : null,
      value: right ? expression(from, right) : null,
      isStatic: true,
      annotations: [],
    },
  ]
}

const nameOf = (from: Lowering, node: SyntaxNode): string => {
  const named = childByField(node, 'name')
  return named ? sourceOf(from, named) : ''
}

const CALLED_FROM_OUTSIDE = new Set(['__init__', '__call__', '__new__', '__getitem__', '__setitem__'])
