// Functions and classes, with their decorators.

import type { ClassDefinition, Expr, Field, FunctionDefinition, Mark, Stmt } from '../ir.ts'
import { childOf, partsOf, type SyntaxNode } from '../syntax/tree.ts'
import { callArguments, expression } from './expressions.ts'
import { type Lowering, name, placeOf, sourceOf } from './lowering.ts'
import { parameters, typeText } from './parameters.ts'
import { withDeclarations } from './variables.ts'

type LowerBody = (from: Lowering, nodes: readonly SyntaxNode[]) => Stmt[]

/** Where a definition stands: at the top of a file, in a class, in a function. */
export type Inside = 'file' | 'class' | 'function'

export function functionOf(
  from: Lowering,
  node: SyntaxNode,
  marks: readonly Mark[],
  inside: Inside,
  lower: LowerBody,
): FunctionDefinition {
  const named = nameOf(from, node)
  const taken = parameters(from, childOf(node, 'parameters'), expression)
  const body = childOf(node, 'body')
  const returnType = childOf(node, 'return_type')
  return {
    at: placeOf(node),
    name: named,
    parameters: taken,
    body: withDeclarations(placeOf(node), lower(from, body ? partsOf(body) : []), taken),
    marks,
    returnType: returnType ? typeText(sourceOf(from, returnType)) : null,
    isExpression: false,
    isAsync: node.children.some(({ type }) => type === 'async'),
    isExported: inside !== 'function' && (!named.startsWith('_') || CALLED_FROM_OUTSIDE.has(named)),
    isStatic: marks.some(({ name }) => name === 'staticmethod'),
  }
}

export function classOf(
  from: Lowering,
  node: SyntaxNode,
  marks: readonly Mark[],
  lower: LowerBody,
): ClassDefinition {
  const bases = callArguments(from, childOf(node, 'superclasses'))
  const body = childOf(node, 'body')
  const members = body ? partsOf(body) : []
  const named = bases.flatMap(({ name, value }) =>
    name === null ? [sourceOf(from, value.at).replace(/\[.*$/s, '')] : [],
  )
  return {
    at: placeOf(node),
    name: nameOf(from, node),
    bases: named,
    marks,
    methods: members.flatMap((member) => methodsOf(from, member, lower)),
    fields: [...members.flatMap((member) => fieldsOf(from, member)), ...requestOf(node, named)],
  }
}

/** The framework puts the request on a view before it calls any method of it. */
function requestOf(node: SyntaxNode, bases: readonly string[]): Field[] {
  const at = placeOf(childOf(node, 'superclasses') ?? node)
  const field = (called: string, type: string | null, value: Expr | null): Field => ({
    at,
    name: called,
    type,
    value,
    isStatic: false,
    marks: [],
  })
  if (bases.some((base) => /HTTPRequestHandler$/.test(base)))
    return SENT.map((property) =>
      field(property, null, { kind: 'member', at, object: name(at, SENT_WITH), property }),
    )
  return bases.some((base) => VIEWS.test(base)) ? [field('request', REQUEST_TYPE, null)] : []
}

/** What a handler of `http.server` holds of the request. */
export const SENT = ['path', 'headers', 'rfile', 'requestline']
export const SENT_WITH = '$request'

/** Names of classes that answer requests, in any framework. */
export const VIEWS =
  /(?:^|\.)(?:\w*View|\w*ViewSet|MethodView|Resource|RequestHandler|\w*Handler|HTTPEndpoint|HTTPMethodView)$/

/** The request of any framework that hands it over as an argument or keeps it on the view. */
export const REQUEST_TYPE = 'web.HttpRequest'

/** `@app.route('/x', methods=['POST'])` above a definition. */
export function marksOf(from: Lowering, decorated: SyntaxNode): Mark[] {
  return partsOf(decorated).flatMap((part) => {
    const [written] = part.type === 'decorator' ? partsOf(part) : []
    if (!written) return []
    const callee = written.type === 'call' ? childOf(written, 'function') : written
    const args = written.type === 'call' ? callArguments(from, childOf(written, 'arguments')) : []
    return callee ? [{ name: sourceOf(from, callee), args }] : []
  })
}

function methodsOf(from: Lowering, member: SyntaxNode, lower: LowerBody): FunctionDefinition[] {
  if (member.type === 'if_statement' || member.type === 'block')
    return member.children.flatMap((child) => methodsOf(from, child, lower))
  const defined = member.type === 'decorated_definition' ? childOf(member, 'definition') : member
  if (defined?.type !== 'function_definition') return []
  const marks = member === defined ? [] : marksOf(from, member)
  return [functionOf(from, defined, marks, 'class', lower)]
}

function fieldsOf(from: Lowering, member: SyntaxNode): Field[] {
  const [written] = member.type === 'expression_statement' ? partsOf(member) : []
  const left = written?.type === 'assignment' ? childOf(written, 'left') : undefined
  if (!written || left?.type !== 'identifier') return []
  const [type, right] = [childOf(written, 'type'), childOf(written, 'right')]
  return [
    {
      at: placeOf(written),
      name: sourceOf(from, left),
      type: type ? typeText(sourceOf(from, type)) : null,
      value: right ? expression(from, right) : null,
      isStatic: true,
      marks: [],
    },
  ]
}

const nameOf = (from: Lowering, node: SyntaxNode): string => {
  const named = childOf(node, 'name')
  return named ? sourceOf(from, named) : ''
}

const CALLED_FROM_OUTSIDE = new Set(['__init__', '__call__', '__new__', '__getitem__', '__setitem__'])
