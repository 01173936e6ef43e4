// Lowers classes, mixins, extensions and enums.

import type { ClassDefinition, Field, FunctionDefinition, Stmt } from '../../ir.ts'
import { expressionStatement, memberExpr, nameExpr, rangeOf } from '../../ir-builders.ts'
import { childByField, type SyntaxNode } from '../../syntax/tree.ts'
import { isComma, type LoweringContext, partsOf, sourceOf, splitAt } from './context.ts'
import { annotationsIn, functionFrom, listIn } from './functions.ts'

export const isClass = ({ type }: SyntaxNode): boolean =>
  /^(?:class_definition|mixin_declaration|extension_declaration|extension_type_declaration|enum_declaration|mixin_application_class)$/.test(
    type,
  )

export function classOf(lowering: LoweringContext, node: SyntaxNode, before: readonly SyntaxNode[]): Stmt[] {
  const nameNode = childByField(node, 'name') ?? node.children.find(({ type }) => type === 'identifier')
  const body = childByField(node, 'body') ?? node.children.find(({ type }) => /_body$/.test(type))
  if (!nameNode) return []
  const name = sourceOf(lowering, nameNode)
  const members = body ? membersIn(body) : []
  const definition: ClassDefinition = {
    at: rangeOf(node),
    name,
    bases: basesOf(lowering, node),
    annotations: annotationsIn(lowering, [...before, ...node.children]),
    methods: members.flatMap((member) => methodOf(lowering, name, member)),
    fields: members.flatMap((member) => fieldsOf(lowering, member)),
  }
  return [{ kind: 'class', at: rangeOf(node), definition }]
}

type Member = {
  readonly node: SyntaxNode
  readonly body: SyntaxNode | undefined
  readonly marks: readonly SyntaxNode[]
}

/** A method is a signature followed by its body. */
function membersIn(body: SyntaxNode): Member[] {
  const members: { node: SyntaxNode; body: SyntaxNode | undefined; marks: SyntaxNode[] }[] = []
  let marks: SyntaxNode[] = []
  for (const part of partsOf(body.children)) {
    if (part.type === 'annotation') marks.push(part)
    else if (part.type === 'function_body') {
      const last = members.at(-1)
      if (last) last.body = part
    } else {
      members.push({ node: part, body: undefined, marks })
      marks = []
    }
  }
  return members
}

function basesOf(lowering: LoweringContext, node: SyntaxNode): string[] {
  const clauses = node.children.filter(({ type }) => /^(?:superclass|interfaces|mixins)$/.test(type))
  const types = clauses.flatMap((clause) => [
    ...clause.children,
    ...clause.children.flatMap(({ children }) => children),
  ])
  return types.filter(({ type }) => type === 'type_identifier').map((each) => sourceOf(lowering, each))
}

const SIGNATURES =
  /^(?:function_signature|getter_signature|setter_signature|operator_signature|constructor_signature|constant_constructor_signature|factory_constructor_signature|redirecting_factory_constructor_signature)$/

function methodOf(
  lowering: LoweringContext,
  className: string,
  { node, body, marks }: Member,
): FunctionDefinition[] {
  const signature = node.children.find(({ type }) => SIGNATURES.test(type))
  if (!signature) return []
  const list = listIn(signature)
  const isStatic = node.children.some(({ type }) => type === 'static')
  const annotations = annotationsIn(lowering, marks)
  const named = childByField(signature, 'name')
  if (/constructor/.test(signature.type)) {
    const names = signature.children
      .filter(({ type }) => type === 'identifier')
      .map((each) => sourceOf(lowering, each))
    const name = names.length > 1 ? (names.at(-1) ?? className) : className
    const isFactory = signature.type.includes('factory')
    const definition = functionFrom(lowering, {
      name,
      at: node,
      list,
      body,
      annotations,
      before: initializersOf(lowering, node),
      isStatic: name !== className,
    })
    const at = rangeOf(node)
    return name === className || isFactory
      ? [definition]
      : [
          {
            ...definition,
            isExpression: false,
            body: [...definition.body, { kind: 'return', at, value: nameExpr(at, 'this') }],
          },
        ]
  }
  const written = named ? sourceOf(lowering, named) : 'operator'
  const prefix =
    signature.type === 'getter_signature' ? 'get ' : signature.type === 'setter_signature' ? 'set ' : ''
  return [
    functionFrom(lowering, {
      name: `${prefix}${written}`,
      at: node,
      list,
      body,
      annotations,
      isStatic,
      returnType: returnTypeOf(lowering, signature),
    }),
  ]
}

export function returnTypeOf({ tree }: LoweringContext, signature: SyntaxNode): string | null {
  const name = childByField(signature, 'name')
  const written = name
    ? tree.text
        .slice(signature.start, name.start)
        .replace(/\b(?:get|set|external|static)\b/g, '')
        .trim()
    : ''
  return written === '' ? null : written
}

/** `: _x = x, super(y)` */
function initializersOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const signature = node.children.find(({ type }) => SIGNATURES.test(type))
  const lists = [...node.children, ...(signature?.children ?? [])].filter(
    ({ type }) => type === 'initializers',
  )
  return lists.flatMap((list) =>
    partsOf(list.children).flatMap((entry): Stmt[] => {
      const field = entry.children.find(({ type }) => type === 'field_initializer')
      const at = rangeOf(entry)
      if (!field) {
        const args = entry.children.find(({ type }) => type === 'arguments')
        const above = entry.children.find(({ type }) => type === 'super')
        if (!args || !above) return []
        const value = lowering.sequence(lowering, [above, args])
        return [expressionStatement(at, value)]
      }
      const parts = partsOf(field.children).filter(({ type }) => type !== 'this')
      const [name, ...value] = parts
      if (!name) return []
      const target = memberExpr(at, nameExpr(at, 'this'), sourceOf(lowering, name))
      return [
        expressionStatement(at, {
          kind: 'assign',
          at,
          target,
          operator: null,
          value: lowering.sequence(lowering, value),
        }),
      ]
    }),
  )
}

function fieldsOf(lowering: LoweringContext, { node, marks }: Member): Field[] {
  if (node.type === 'enum_constant') return []
  if (node.type !== 'declaration') return []
  const isStatic = node.children.some(({ type }) => type === 'static')
  const annotations = annotationsIn(lowering, marks)
  const type = typeIn(lowering, node)
  return namesIn(node).map(({ at, name, value }) => ({
    at: rangeOf(at),
    name: sourceOf(lowering, name),
    type,
    value: value.length > 0 ? lowering.sequence(lowering, value) : null,
    isStatic,
    annotations,
  }))
}

const LISTS = /^(?:initialized_identifier_list|static_final_declaration_list|identifier_list)$/
const ITEMS = /^(?:initialized_identifier|static_final_declaration)$/

/** `a = 1, b` of a declaration. */
export function namesIn(node: SyntaxNode): { at: SyntaxNode; name: SyntaxNode; value: SyntaxNode[] }[] {
  const list = node.children.find(({ type }) => LISTS.test(type))
  const items = (list ?? node).children.filter(({ type }) => ITEMS.test(type) || type === 'identifier')
  return items.flatMap((at) => {
    const [name, ...value] = at.type === 'identifier' ? [at] : partsOf(at.children)
    return name ? [{ at, name, value }] : []
  })
}

export function typeIn(lowering: LoweringContext, node: SyntaxNode): string | null {
  const [first] = splitAt(node.children, isComma)
  const type = first?.find(({ type: kind }) => kind === 'type_identifier')
  return type ? sourceOf(lowering, type) : null
}
