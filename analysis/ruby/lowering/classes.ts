// Lowers classes and modules. Inner classes become top-level classes, because constants are found by their last name.

import type { Annotation, Argument, ClassDefinition, Field, FunctionDefinition, Stmt } from '../../ir.ts'
import { expressionStatement, memberExpr, nameExpr, rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { argumentsOf } from './calls.ts'
import { type LoweringContext, sourceOf } from './context.ts'
import { methodOf } from './functions.ts'

/** `private def …` and similar pass a definition to a call. */
export const isDefinition = ({ type }: SyntaxNode): boolean =>
  type === 'method' || type === 'singleton_method'

type ClassParts = {
  readonly methods: FunctionDefinition[]
  readonly annotations: Annotation[]
  readonly bases: string[]
  readonly fields: Field[]
  /** Constants and inner classes. */
  readonly before: Stmt[]
  /** Other code of the body. */
  readonly code: Stmt[]
  readonly hidden: Set<string>
  visibility: 'public' | 'hidden'
}

export function classOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [name, body, above] = ['name', 'body', 'superclass'].map((field) => childByField(node, field))
  if (!name) return []
  const at = rangeOf(node)
  const base = above && namedChildren(above)[0]
  const parts: ClassParts = {
    methods: [],
    annotations: [],
    bases: base ? [baseName(lowering, base)] : [],
    fields: [],
    before: [],
    code: [],
    hidden: new Set(),
    visibility: 'public',
  }
  const inner = {
    ...lowering,
    locals: { parent: null, names: new Set<string>() },
    isInBlock: false,
    requestUses: new Map<string, SyntaxNode>(),
  }
  for (const part of body ? namedChildren(body) : []) addMember(inner, parts, part, false)
  const isEmpty =
    parts.methods.length + parts.annotations.length + parts.bases.length + parts.code.length === 0
  if (isEmpty) return parts.before
  const definition: ClassDefinition = {
    at,
    name: sourceOf(lowering, name).replace(/^.*::/, ''),
    bases: parts.bases,
    annotations: parts.annotations,
    methods: [
      ...parts.methods.map((each) => (parts.hidden.has(each.name) ? { ...each, isExported: false } : each)),
      ...(parts.code.length > 0 ? [classBody(at, parts.code)] : []),
    ],
    fields: parts.fields,
  }
  return [...parts.before, { kind: 'class', at, definition }]
}

const baseName = (lowering: LoweringContext, node: SyntaxNode): string => {
  const written = childByField(node, 'receiver') ?? node
  return sourceOf(lowering, written).replaceAll('::', '.').replace(/^\./, '').replace(/\[.*$/s, '')
}

/** Code in the body of a class runs once. No call can use this name, and no rule reads its text. */
const classBody = (at: Stmt['at'], body: readonly Stmt[]): FunctionDefinition => ({
  at: { ...at, end: at.start, endLine: at.line },
  name: '<class>',
  parameters: [],
  body,
  annotations: [],
  returnType: null,
  isExpression: false,
  isAsync: false,
  isExported: false,
  isStatic: true,
})

function addMember(
  lowering: LoweringContext,
  parts: ClassParts,
  node: SyntaxNode,
  isSingleton: boolean,
): void {
  switch (node.type) {
    case 'method':
    case 'singleton_method':
      addMethod(
        lowering,
        parts,
        node,
        isSingleton || node.type === 'singleton_method',
        parts.visibility === 'public',
      )
      return
    case 'class':
    case 'module':
      parts.before.push(...classOf(lowering, node))
      return
    case 'singleton_class': {
      const { visibility } = parts
      parts.visibility = 'public'
      const body = childByField(node, 'body')
      for (const part of body ? namedChildren(body) : []) addMember(lowering, parts, part, true)
      parts.visibility = visibility
      return
    }
    case 'identifier': {
      const word = sourceOf(lowering, node)
      if (/^(?:private|protected)$/.test(word)) parts.visibility = 'hidden'
      else if (/^(?:public|module_function)$/.test(word)) parts.visibility = 'public'
      return
    }
    case 'assignment': {
      const [left] = [childByField(node, 'left')]
      const statements = lowering.statements(lowering, [node])
      if (left?.type !== 'constant') parts.code.push(...statements)
      else {
        parts.before.push(...statements)
        const name = sourceOf(lowering, left)
        const at = rangeOf(left)
        parts.fields.push({
          at,
          name,
          type: null,
          value: nameExpr(at, name),
          isStatic: true,
          annotations: [],
        })
      }
      return
    }
    case 'call':
      addCall(lowering, parts, node, isSingleton)
      return
    default:
      parts.code.push(...lowering.statements(lowering, [node]))
  }
}

function addMethod(
  lowering: LoweringContext,
  parts: ClassParts,
  node: SyntaxNode,
  isStatic: boolean,
  isExported: boolean,
): void {
  parts.methods.push(methodOf(lowering, node, { isStatic, isExported }))
}

function addCall(lowering: LoweringContext, parts: ClassParts, node: SyntaxNode, isSingleton: boolean): void {
  const method = childByField(node, 'method')
  const name = method && !childByField(node, 'receiver') ? sourceOf(lowering, method) : ''
  const list = childByField(node, 'arguments')
  const written = list ? namedChildren(list) : []
  const [first] = written
  if (first && isDefinition(first)) {
    const isHidden = /^(?:private|protected|private_class_method)$/.test(name)
    addMethod(lowering, parts, first, isSingleton || first.type === 'singleton_method', !isHidden)
    return
  }
  const block = childByField(node, 'block')
  const symbols = written
    .filter(({ type }) => type === 'simple_symbol')
    .map((each) => sourceOf(lowering, each).slice(1))
  if (/^attr(?:_reader|_accessor)$/.test(name))
    for (const [index, each] of symbols.entries())
      parts.methods.push(reader(written[index] ?? node, each, isSingleton))
  else if (/^(?:private|protected|private_class_method)$/.test(name))
    for (const each of symbols) parts.hidden.add(each)
  else if (/^(?:include|extend|prepend)$/.test(name))
    parts.bases.push(
      ...written
        .filter(({ type }) => /^(?:constant|scope_resolution)$/.test(type))
        .map((each) => baseName(lowering, each)),
    )
  else if (name === 'class_methods' && block) addBody(lowering, parts, block, true)
  else if (name === 'included' && block) addBody(lowering, parts, block, false)
  else if (name === 'define_method' && block && symbols[0] !== undefined)
    parts.methods.push({ ...lowering.block(lowering, block), name: symbols[0], isExported: true })
  else {
    if (name !== '' && !block && !name.startsWith('skip_'))
      parts.annotations.push({ name, args: list ? plainArguments(lowering, list) : [] })
    parts.code.push(...lowering.statements(lowering, [node]))
  }
}

function addBody(
  lowering: LoweringContext,
  parts: ClassParts,
  block: SyntaxNode,
  isSingleton: boolean,
): void {
  const body = childByField(block, 'body')
  for (const part of body ? namedChildren(body) : []) addMember(lowering, parts, part, isSingleton)
}

const plainArguments = (lowering: LoweringContext, list: SyntaxNode): Argument[] =>
  argumentsOf(lowering, list)

/** `attr_reader :name` */
function reader(node: SyntaxNode, name: string, isStatic: boolean): FunctionDefinition {
  const at = rangeOf(node)
  const value = memberExpr(at, nameExpr(at, 'this'), name)
  return {
    at,
    name,
    parameters: [],
    body: [expressionStatement(at, value)],
    annotations: [],
    returnType: null,
    isExpression: true,
    isAsync: false,
    isExported: false,
    isStatic,
  }
}
