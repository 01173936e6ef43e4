// Lowers methods, blocks and their parameters.

import type { Expr, FunctionDefinition, Parameter, Stmt } from '../../ir.ts'
import {
  callExpr,
  declaration,
  expressionStatement,
  memberExpr,
  nameExpr,
  otherExpr,
  rangeOf,
} from '../../ir-builders.ts'
import type { SourceRange } from '../../syntax/tree.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import {
  BLOCK,
  inBlock,
  inMethod,
  type LoweringContext,
  localExpr,
  sourceOf,
  withRequest,
} from './context.ts'
import { endingWithReturn } from './tails.ts'

export function methodOf(
  outer: LoweringContext,
  node: SyntaxNode,
  { isStatic, isExported }: { readonly isStatic: boolean; readonly isExported: boolean },
): FunctionDefinition {
  const nameNode = childByField(node, 'name')
  const written = nameNode ? sourceOf(outer, nameNode) : ''
  const name = written === 'initialize' ? 'constructor' : written
  const list = childByField(node, 'parameters')
  const listed = list ? namedChildren(list) : []
  const names = listed.flatMap((part) => {
    const named = childByField(part, 'name')
    return part.type === 'identifier' ? [sourceOf(outer, part)] : named ? [sourceOf(outer, named)] : []
  })
  const lowering = inMethod(outer, { name, parameters: names })
  const parameters = parametersOf(lowering, listed)
  const body = childByField(node, 'body')
  const own = listed.find(({ type }) => type === 'block_parameter')
  return {
    at: rangeOf(node),
    name,
    parameters: [...parameters, blockParameter(rangeOf(node))],
    body: withRequest(lowering, [
      ...(own ? blockAlias(lowering, own) : []),
      ...(body ? bodyOf(lowering, body) : []),
    ]),
    annotations: [],
    returnType: null,
    isExpression: false,
    isAsync: false,
    isExported,
    isStatic,
  }
}

/** The last expression is the result. */
const bodyOf = (lowering: LoweringContext, body: SyntaxNode): Stmt[] =>
  endingWithReturn(lowering.statements(lowering, [body]))

/** `{ |a| … }`, `do |a| … end` and `->(a) { … }`. */
export function blockOf(outer: LoweringContext, node: SyntaxNode): FunctionDefinition {
  const lowering = inBlock(outer)
  const list = childByField(node, 'parameters')
  const body = childByField(node, 'body')
  const inner = body?.type === 'block' || body?.type === 'do_block' ? childByField(body, 'body') : body
  const parameters = list
    ? parametersOf(lowering, namedChildren(list))
    : implicitParameters(lowering, inner ?? node)
  const result = inner ? endingWithReturn(lowering.statements(lowering, [inner])) : []
  return {
    at: rangeOf(node),
    name: '',
    parameters,
    body: lowering.requestUses === outer.requestUses ? result : withRequest(lowering, result),
    annotations: [],
    returnType: null,
    isExpression: false,
    isAsync: false,
    isExported: false,
    isStatic: false,
  }
}

/** `_1` and `it`. */
function implicitParameters(lowering: LoweringContext, node: SyntaxNode): Parameter[] {
  const written = sourceOf(lowering, node)
  const name = /\b_1\b/.test(written) ? '_1' : /\bit\b/.test(written) ? 'it' : null
  return name ? [plainParameter(localExpr(lowering, node, name))] : []
}

/** `&:name` is a block that calls this method. */
export function symbolBlock(at: SourceRange, method: string): Expr {
  const object = nameExpr(at, 'it')
  const definition: FunctionDefinition = {
    at,
    name: '',
    parameters: [plainParameter(object)],
    body: [expressionStatement(at, callExpr(at, memberExpr(at, object, method), []))],
    annotations: [],
    returnType: null,
    isExpression: true,
    isAsync: false,
    isExported: false,
    isStatic: false,
  }
  return { kind: 'function', at, definition }
}

const plainParameter = (target: Expr): Parameter => ({
  target,
  default: null,
  type: null,
  isRest: false,
  annotations: [],
})

const blockParameter = (at: SourceRange): Parameter => ({
  ...plainParameter(nameExpr(at, BLOCK)),
  default: otherExpr(at),
})

function blockAlias(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const name = childByField(node, 'name')
  const at = rangeOf(node)
  return name
    ? [declaration(at, localExpr(lowering, name, sourceOf(lowering, name)), nameExpr(at, BLOCK))]
    : []
}

function parametersOf(lowering: LoweringContext, parts: readonly SyntaxNode[]): Parameter[] {
  return parts
    .filter(({ type }) => type !== 'block_parameter')
    .map((part): Parameter => {
      const [name, value] = [childByField(part, 'name'), childByField(part, 'value')]
      return {
        ...plainParameter(targetOf(lowering, name ?? part)),
        default: value ? lowering.expression(lowering, value) : null,
        isRest: part.type === 'splat_parameter',
      }
    })
}

/** `a` or `(a, (b, *c))`. */
function targetOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  if (node.type === 'identifier') return localExpr(lowering, node, sourceOf(lowering, node))
  if (node.type === 'splat_parameter') {
    const name = childByField(node, 'name')
    return { kind: 'rest', at, target: name ? targetOf(lowering, name) : otherExpr(at) }
  }
  if (node.type !== 'destructured_parameter') return otherExpr(at)
  const items = namedChildren(node).map((part) => {
    const value = targetOf(lowering, part)
    return { name: null, isSpread: value.kind === 'rest', value }
  })
  return { kind: 'list', at, items }
}
