// Lowers classes, traits and enums.

import type { ClassDefinition, Field, Stmt } from '../../ir.ts'
import { rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { below, NAME_TYPES, type Reading, shortName, sourceOf, typeText } from './context.ts'
import { annotationsOf, functionOf } from './functions.ts'

export function classOf(outer: Reading, node: SyntaxNode): Stmt[] {
  const name = childByField(node, 'name')
  const body = childByField(node, 'body')
  if (!name || !body) return []
  const members = namedChildren(body)
  const bases = basesOf(outer, node, members)
  const reading = outer.within({ ...outer, self: sourceOf(outer, name), parent: bases[0] ?? null })
  const definition: ClassDefinition = {
    at: rangeOf(node),
    name: sourceOf(reading, name),
    bases,
    annotations: annotationsOf(reading, node),
    methods: members
      .filter(({ type }) => type === 'method_declaration')
      .map((method) => functionOf(reading, method)),
    fields: members.flatMap((member) => fieldsOf(reading, member)),
  }
  return [{ kind: 'class', at: rangeOf(node), definition }]
}

/** Base class, interfaces and traits. */
function basesOf(reading: Reading, node: SyntaxNode, members: readonly SyntaxNode[]): string[] {
  return [
    ...namedChildren(node).filter(({ type }) => type === 'base_clause' || type === 'class_interface_clause'),
    ...members.filter(({ type }) => type === 'use_declaration'),
  ].flatMap((clause) =>
    namedChildren(clause)
      .filter(({ type }) => NAME_TYPES.has(type))
      .map((part) => shortName(reading, part)),
  )
}

function fieldsOf(reading: Reading, member: SyntaxNode): Field[] {
  if (member.type === 'property_declaration') return propertiesOf(reading, member)
  if (member.type === 'const_declaration')
    return below(member, ({ type }) => type === 'const_element').flatMap((element) => {
      const [name, value] = namedChildren(element)
      return name && value ? [staticField(reading, element, name, value)] : []
    })
  const [name, value] = [childByField(member, 'name'), childByField(member, 'value')]
  if (member.type === 'enum_case' && name && value) return [staticField(reading, member, name, value)]
  return member.type === 'method_declaration' ? promotedOf(reading, member) : []
}

function staticField(reading: Reading, node: SyntaxNode, name: SyntaxNode, value: SyntaxNode): Field {
  return {
    at: rangeOf(node),
    name: sourceOf(reading, name),
    type: null,
    value: reading.expression(value),
    isStatic: true,
    annotations: [],
  }
}

function propertiesOf(reading: Reading, node: SyntaxNode): Field[] {
  const isStatic = node.children.some(({ type }) => type === 'static_modifier')
  return namedChildren(node)
    .filter(({ type }) => type === 'property_element')
    .flatMap((element) => {
      const [name, value] = [childByField(element, 'name'), childByField(element, 'default_value')]
      if (!name) return []
      return [
        {
          at: rangeOf(element),
          name: sourceOf(reading, name).replace(/^\$/, ''),
          type: typeText(reading, childByField(node, 'type')),
          value: value ? reading.expression(value) : null,
          isStatic,
          annotations: annotationsOf(reading, node),
        },
      ]
    })
}

function promotedOf(reading: Reading, method: SyntaxNode): Field[] {
  return below(method, ({ type }) => type === 'property_promotion_parameter').flatMap((part) => {
    const name = childByField(part, 'name')
    if (!name) return []
    return [
      {
        at: rangeOf(part),
        name: sourceOf(reading, name).replace(/^\$/, ''),
        type: typeText(reading, childByField(part, 'type')),
        value: null,
        isStatic: false,
        annotations: annotationsOf(reading, part),
      },
    ]
  })
}
