// Lowers functions and classes with their parameters, fields and decorators.

import type {
  Annotation,
  Argument,
  ClassDefinition,
  Expr,
  Field,
  FunctionDefinition,
  Parameter,
  Stmt,
} from '../../ir.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { isClassNode, type LoweringContext, nameExpr, rangeOf, sourceOf } from './context.ts'
import { keyOf, lowerTarget } from './patterns.ts'

export function lowerFunction(
  lowering: LoweringContext,
  node: SyntaxNode,
  name: string,
  annotations: readonly Annotation[] = [],
): FunctionDefinition {
  const own = childByField(node, 'name')
  const body = childByField(node, 'body')
  const isExpression = body !== undefined && body.type !== 'statement_block'
  const parameters = parameterNodes(node)
  return {
    at: rangeOf(node),
    name: own ? keyText(lowering, own) : name,
    parameters: [
      ...parameters.map((each) => parameter(lowering, each)),
      ...(isContextGenerator(lowering, node) ? [contextParameter(node)] : []),
    ],
    body: [
      ...parameters.flatMap((each) => parameterProperty(lowering, each)),
      ...(body ? bodyOf(lowering, body, isExpression) : []),
    ],
    annotations,
    returnType: typeOf(lowering, childByField(node, 'return_type')),
    isExpression,
    isAsync: node.children.some(({ type }) => type === 'async'),
    isExported: lowering.exported.has(node),
    isStatic: node.children.some(({ type }) => type === 'static'),
  }
}

/** Koa once called `function* (next)` with the context as `this`. The IR has it as a parameter. */
const isContextGenerator = (lowering: LoweringContext, node: SyntaxNode): boolean =>
  node.type.startsWith('generator_function') && CONTEXT_USE.test(sourceOf(lowering, node))

const CONTEXT_USE =
  /\bthis\.(?:request|req|response|res|redirect|querystring|query)\b|\bthis\.(?:path|url|originalUrl)\b[\s\S]*\bthis\.(?:body|type)\b/

const contextParameter = (node: SyntaxNode): Parameter => ({
  target: nameExpr(node, 'this'),
  default: null,
  type: null,
  isRest: false,
  annotations: [],
})

export function lowerClass(
  lowering: LoweringContext,
  node: SyntaxNode,
  name: string,
  outer: readonly SyntaxNode[] = [],
): ClassDefinition {
  const own = childByField(node, 'name')
  const body = childByField(node, 'body')
  const heritage = node.children.find(({ type }) => type === 'class_heritage')
  return {
    at: rangeOf(node),
    name: own ? sourceOf(lowering, own) : name,
    bases: heritage ? basesOf(lowering, heritage) : [],
    annotations: [...outer, ...childrenByField(node, 'decorator')].map((each) =>
      lowerDecorator(lowering, each),
    ),
    ...(body ? members(lowering, body) : { methods: [], fields: [] }),
  }
}

/** The type as written: `: Promise<string>` becomes `Promise<string>`. */
export const typeOf = (lowering: LoweringContext, node: SyntaxNode | undefined): string | null =>
  node ? sourceOf(lowering, node).replace(/^:\s*/, '') : null

export function argumentsOf(lowering: LoweringContext, node: SyntaxNode | undefined): Argument[] {
  return node ? namedChildren(node).map((part) => argument(lowering, part)) : []
}

export function argument(lowering: LoweringContext, part: SyntaxNode): Argument {
  const inner = part.type === 'spread_element' ? namedChildren(part)[0] : undefined
  return { name: null, isSpread: inner !== undefined, value: lowering.expression(inner ?? part) }
}

function members(lowering: LoweringContext, body: SyntaxNode): Pick<ClassDefinition, 'methods' | 'fields'> {
  const methods: FunctionDefinition[] = []
  const fields: Field[] = []
  let annotations: Annotation[] = []
  for (const part of namedChildren(body)) {
    if (part.type === 'decorator') {
      annotations.push(lowerDecorator(lowering, part))
      continue
    }
    const all = [
      ...annotations,
      ...childrenByField(part, 'decorator').map((each) => lowerDecorator(lowering, each)),
    ]
    annotations = []
    if (part.type === 'method_definition') methods.push(lowerFunction(lowering, part, '', all))
    else if (part.type === 'class_static_block') methods.push(staticBlock(lowering, part))
    else if (/field_definition$/.test(part.type)) fields.push(field(lowering, part, all))
  }
  return { methods, fields }
}

function field(lowering: LoweringContext, node: SyntaxNode, annotations: readonly Annotation[]): Field {
  const key = childByField(node, 'name') ?? childByField(node, 'property')
  const value = childByField(node, 'value')
  const name = key ? keyText(lowering, key) : ''
  return {
    at: rangeOf(node),
    name,
    type: typeOf(lowering, childByField(node, 'type')),
    value: value ? lowering.expression(value, name) : null,
    isStatic: node.children.some(({ type }) => type === 'static'),
    annotations,
  }
}

/** A static block runs when the class is defined. As a method it is analyzed on its own. */
const staticBlock = (lowering: LoweringContext, node: SyntaxNode): FunctionDefinition => ({
  at: rangeOf(node),
  name: '',
  parameters: [],
  body: lowering.statements(namedChildren(childByField(node, 'body') ?? node)),
  annotations: [],
  returnType: null,
  isExpression: false,
  isAsync: false,
  isExported: false,
  isStatic: true,
})

function basesOf(lowering: LoweringContext, heritage: SyntaxNode): string[] {
  const clause = heritage.children.find(({ type }) => type === 'extends_clause')
  const base = clause ? childByField(clause, 'value') : namedChildren(heritage)[0]
  return base && !isClassNode(base) ? [sourceOf(lowering, base)] : []
}

function parameterNodes(node: SyntaxNode): readonly SyntaxNode[] {
  const single = childByField(node, 'parameter')
  const list = childByField(node, 'parameters')
  const all = single ? [single] : list ? namedChildren(list) : []
  return all.filter((each) => childByField(each, 'pattern')?.type !== 'this')
}

function parameter(lowering: LoweringContext, node: SyntaxNode): Parameter {
  const pattern =
    childByField(node, 'pattern') ?? (node.type === 'assignment_pattern' ? childByField(node, 'left') : node)
  const value =
    childByField(node, 'value') ??
    (node.type === 'assignment_pattern' ? childByField(node, 'right') : undefined)
  const isRest = pattern?.type === 'rest_pattern'
  const inner = isRest ? namedChildren(pattern)[0] : pattern
  return {
    target: inner ? lowerTarget(lowering, inner) : nameExpr(node, ''),
    default: value ? lowering.expression(value) : null,
    type: typeOf(lowering, childByField(node, 'type')),
    isRest,
    annotations: childrenByField(node, 'decorator').map((each) => lowerDecorator(lowering, each)),
  }
}

/** `constructor(private readonly rows: Rows)` assigns the argument to a field. */
function parameterProperty(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const isKept = node.children.some(({ type }) => type === 'accessibility_modifier' || type === 'readonly')
  const pattern = childByField(node, 'pattern')
  if (!isKept || pattern?.type !== 'identifier') return []
  const name = sourceOf(lowering, pattern)
  const at = rangeOf(node)
  const target: Expr = { kind: 'member', at, object: nameExpr(node, 'this'), property: name }
  const value: Expr = { kind: 'assign', at, target, operator: null, value: nameExpr(node, name) }
  return [{ kind: 'expression', at, value }]
}

function bodyOf(lowering: LoweringContext, body: SyntaxNode, isExpression: boolean): Stmt[] {
  if (!isExpression) return lowering.statements(namedChildren(body))
  return [{ kind: 'return', at: rangeOf(body), value: lowering.expression(body) }]
}

export function lowerDecorator(lowering: LoweringContext, node: SyntaxNode): Annotation {
  const inner = namedChildren(node)[0]
  const callee = inner && childByField(inner, 'function')
  const name = callee ?? inner
  return {
    name: name ? sourceOf(lowering, name) : '',
    args: callee ? argumentsOf(lowering, inner && childByField(inner, 'arguments')) : [],
  }
}

function keyText(lowering: LoweringContext, node: SyntaxNode): string {
  const key = keyOf(lowering, node)
  return key.kind === 'literal' ? String(key.value) : ''
}
