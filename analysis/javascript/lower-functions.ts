// Functions and classes with their parameters, fields and decorators.

import type {
  Argument,
  ClassDefinition,
  Expr,
  Field,
  FunctionDefinition,
  Mark,
  Parameter,
  Stmt,
} from '../ir.ts'
import { childOf, childrenOf, partsOf, type SyntaxNode } from '../syntax/tree.ts'
import { keyOf, lowerTarget } from './lower-patterns.ts'
import { isClassNode, type Lowering, nameExpr, placeOf, sourceOf } from './lowering.ts'

export function lowerFunction(
  lowering: Lowering,
  node: SyntaxNode,
  name: string,
  marks: readonly Mark[] = [],
): FunctionDefinition {
  const own = childOf(node, 'name')
  const body = childOf(node, 'body')
  const isExpression = body !== undefined && body.type !== 'statement_block'
  const parameters = parameterNodes(node)
  return {
    at: placeOf(node),
    name: own ? keyText(lowering, own) : name,
    parameters: parameters.map((each) => parameter(lowering, each)),
    body: [
      ...parameters.flatMap((each) => keptParameter(lowering, each)),
      ...(body ? bodyOf(lowering, body, isExpression) : []),
    ],
    marks,
    returnType: typeOf(lowering, childOf(node, 'return_type')),
    isExpression,
    isAsync: node.children.some(({ type }) => type === 'async'),
    isExported: lowering.exported.has(node),
    isStatic: node.children.some(({ type }) => type === 'static'),
  }
}

export function lowerClass(
  lowering: Lowering,
  node: SyntaxNode,
  name: string,
  outer: readonly SyntaxNode[] = [],
): ClassDefinition {
  const own = childOf(node, 'name')
  const body = childOf(node, 'body')
  const heritage = node.children.find(({ type }) => type === 'class_heritage')
  return {
    at: placeOf(node),
    name: own ? sourceOf(lowering, own) : name,
    bases: heritage ? basesOf(lowering, heritage) : [],
    marks: [...outer, ...childrenOf(node, 'decorator')].map((each) => mark(lowering, each)),
    ...(body ? members(lowering, body) : { methods: [], fields: [] }),
  }
}

/** As written, without what stands around it: `: Promise<string>` is `Promise<string>`. */
export const typeOf = (lowering: Lowering, node: SyntaxNode | undefined): string | null =>
  node ? sourceOf(lowering, node).replace(/^:\s*/, '') : null

export function argumentsOf(lowering: Lowering, node: SyntaxNode | undefined): Argument[] {
  return node ? partsOf(node).map((part) => argument(lowering, part)) : []
}

export function argument(lowering: Lowering, part: SyntaxNode): Argument {
  const inner = part.type === 'spread_element' ? partsOf(part)[0] : undefined
  return { name: null, isSpread: inner !== undefined, value: lowering.expression(inner ?? part) }
}

function members(lowering: Lowering, body: SyntaxNode): Pick<ClassDefinition, 'methods' | 'fields'> {
  const methods: FunctionDefinition[] = []
  const fields: Field[] = []
  let marks: Mark[] = []
  for (const part of partsOf(body)) {
    if (part.type === 'decorator') {
      marks.push(mark(lowering, part))
      continue
    }
    const all = [...marks, ...childrenOf(part, 'decorator').map((each) => mark(lowering, each))]
    marks = []
    if (part.type === 'method_definition') methods.push(lowerFunction(lowering, part, '', all))
    else if (part.type === 'class_static_block') methods.push(staticBlock(lowering, part))
    else if (/field_definition$/.test(part.type)) fields.push(field(lowering, part, all))
  }
  return { methods, fields }
}

function field(lowering: Lowering, node: SyntaxNode, marks: readonly Mark[]): Field {
  const key = childOf(node, 'name') ?? childOf(node, 'property')
  const value = childOf(node, 'value')
  const name = key ? keyText(lowering, key) : ''
  return {
    at: placeOf(node),
    name,
    type: typeOf(lowering, childOf(node, 'type')),
    value: value ? lowering.expression(value, name) : null,
    isStatic: node.children.some(({ type }) => type === 'static'),
    marks,
  }
}

/** Runs once when the class comes to be: a method that nobody calls is gone through all the same. */
const staticBlock = (lowering: Lowering, node: SyntaxNode): FunctionDefinition => ({
  at: placeOf(node),
  name: '',
  parameters: [],
  body: lowering.statements(partsOf(childOf(node, 'body') ?? node)),
  marks: [],
  returnType: null,
  isExpression: false,
  isAsync: false,
  isExported: false,
  isStatic: true,
})

function basesOf(lowering: Lowering, heritage: SyntaxNode): string[] {
  const clause = heritage.children.find(({ type }) => type === 'extends_clause')
  const base = clause ? childOf(clause, 'value') : partsOf(heritage)[0]
  return base && !isClassNode(base) ? [sourceOf(lowering, base)] : []
}

function parameterNodes(node: SyntaxNode): readonly SyntaxNode[] {
  const single = childOf(node, 'parameter')
  const list = childOf(node, 'parameters')
  const all = single ? [single] : list ? partsOf(list) : []
  return all.filter((each) => childOf(each, 'pattern')?.type !== 'this')
}

function parameter(lowering: Lowering, node: SyntaxNode): Parameter {
  const pattern =
    childOf(node, 'pattern') ?? (node.type === 'assignment_pattern' ? childOf(node, 'left') : node)
  const value =
    childOf(node, 'value') ?? (node.type === 'assignment_pattern' ? childOf(node, 'right') : undefined)
  const isRest = pattern?.type === 'rest_pattern'
  const inner = isRest ? partsOf(pattern)[0] : pattern
  return {
    target: inner ? lowerTarget(lowering, inner) : nameExpr(node, ''),
    default: value ? lowering.expression(value) : null,
    type: typeOf(lowering, childOf(node, 'type')),
    isRest,
    marks: childrenOf(node, 'decorator').map((each) => mark(lowering, each)),
  }
}

/** `constructor(private readonly rows: Rows)` keeps what it is given as a field. */
function keptParameter(lowering: Lowering, node: SyntaxNode): Stmt[] {
  const isKept = node.children.some(({ type }) => type === 'accessibility_modifier' || type === 'readonly')
  const pattern = childOf(node, 'pattern')
  if (!isKept || pattern?.type !== 'identifier') return []
  const name = sourceOf(lowering, pattern)
  const at = placeOf(node)
  const target: Expr = { kind: 'member', at, object: nameExpr(node, 'this'), property: name }
  const value: Expr = { kind: 'assign', at, target, operator: null, value: nameExpr(node, name) }
  return [{ kind: 'expression', at, value }]
}

function bodyOf(lowering: Lowering, body: SyntaxNode, isExpression: boolean): Stmt[] {
  if (!isExpression) return lowering.statements(partsOf(body))
  return [{ kind: 'return', at: placeOf(body), value: lowering.expression(body) }]
}

export function mark(lowering: Lowering, node: SyntaxNode): Mark {
  const inner = partsOf(node)[0]
  const callee = inner && childOf(inner, 'function')
  const name = callee ?? inner
  return {
    name: name ? sourceOf(lowering, name) : '',
    args: callee ? argumentsOf(lowering, inner && childOf(inner, 'arguments')) : [],
  }
}

function keyText(lowering: Lowering, node: SyntaxNode): string {
  const key = keyOf(lowering, node)
  return key.kind === 'literal' ? String(key.value) : ''
}
