// Lowers classes, traits and enums.

import type { ClassDefinition, Field, Stmt } from '../../ir.ts'
import { rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { descendants, type LoweringContext, NAME_TYPES, shortName, sourceOf, typeText } from './context.ts'
import { annotationsOf, functionOf } from './functions.ts'

export function classOf(outer: LoweringContext, node: SyntaxNode): Stmt[] {
  const name = childByField(node, 'name')
  const body = childByField(node, 'body')
  if (!name || !body) return []
  const members = namedChildren(body)
  const bases = basesOf(outer, node, members)
  const lowering = outer.within({ ...outer, self: sourceOf(outer, name), parent: bases[0] ?? null })
  const definition: ClassDefinition = {
    at: rangeOf(node),
    name: sourceOf(lowering, name),
    bases,
    annotations: annotationsOf(lowering, node),
    methods: members
      .filter(({ type }) => type === 'method_declaration')
      .map((method) => functionOf(lowering, method)),
    fields: members.flatMap((member) => fieldsOf(lowering, member)),
  }
  return [{ kind: 'class', at: rangeOf(node), definition }]
}

/** Base class, interfaces and traits. */
function basesOf(lowering: LoweringContext, node: SyntaxNode, members: readonly SyntaxNode[]): string[] {
  return [
    ...namedChildren(node).filter(({ type }) => type === 'base_clause' || type === 'class_interface_clause'),
    ...members.filter(({ type }) => type === 'use_declaration'),
  ].flatMap((clause) =>
    namedChildren(clause)
      .filter(({ type }) => NAME_TYPES.has(type))
      .map((part) => shortName(lowering, part)),
  )
}

function fieldsOf(lowering: LoweringContext, member: SyntaxNode): Field[] {
  if (member.type === 'property_declaration') return propertiesOf(lowering, member)
  if (member.type === 'const_declaration')
    return descendants(member, ({ type }) => type === 'const_element').flatMap((element) => {
      const [name, value] = namedChildren(element)
      return name && value ? [staticField(lowering, element, name, value)] : []
    })
  const [name, value] = [childByField(member, 'name'), childByField(member, 'value')]
  if (member.type === 'enum_case' && name && value) return [staticField(lowering, member, name, value)]
  return member.type === 'method_declaration' ? promotedOf(lowering, member) : []
}

function staticField(
  lowering: LoweringContext,
  node: SyntaxNode,
  name: SyntaxNode,
  value: SyntaxNode,
): Field {
  return {
    at: rangeOf(node),
    name: sourceOf(lowering, name),
    type: null,
    value: lowering.expression(value),
    isStatic: true,
    annotations: [],
  }
}

function propertiesOf(lowering: LoweringContext, node: SyntaxNode): Field[] {
  const isStatic = node.children.some(({ type }) => type === 'static_modifier')
  return namedChildren(node)
    .filter(({ type }) => type === 'property_element')
    .flatMap((element) => {
      const [name, value] = [childByField(element, 'name'), childByField(element, 'default_value')]
      if (!name) return []
      return [
        {
          at: rangeOf(element),
          name: sourceOf(lowering, name).replace(/^\$/, ''),
          type: typeText(lowering, childByField(node, 'type')),
          value: value ? lowering.expression(value) : null,
          isStatic,
          annotations: annotationsOf(lowering, node),
        },
      ]
    })
}

function promotedOf(lowering: LoweringContext, method: SyntaxNode): Field[] {
  return descendants(method, ({ type }) => type === 'property_promotion_parameter').flatMap((part) => {
    const name = childByField(part, 'name')
    if (!name) return []
    return [
      {
        at: rangeOf(part),
        name: sourceOf(lowering, name).replace(/^\$/, ''),
        type: typeText(lowering, childByField(part, 'type')),
        value: null,
        isStatic: false,
        annotations: annotationsOf(lowering, part),
      },
    ]
  })
}
