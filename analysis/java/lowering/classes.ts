// Lowers classes, records, enums and interfaces. Inner classes become top-level classes.

import type { ClassDefinition, Field, FunctionDefinition } from '../../ir.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type ClassNames, type LoweringContext, nameExpr, rangeOf, text, withClassScope } from './context.ts'
import { argumentsOf } from './expressions.ts'
import { functionFrom } from './functions.ts'
import { typeName } from './names.ts'
import { recordMembers } from './records.ts'

export const isClass = ({ type }: SyntaxNode): boolean =>
  /^(class|record|enum|interface|annotation_type)_declaration$/.test(type)

export function classFrom(lowering: LoweringContext, node: SyntaxNode, name: string): ClassDefinition {
  const members = membersOf(node)
  const names = namesOf(lowering, node, name, members)
  const inner = withClassScope(lowering, names)
  for (const member of members.filter(isClass)) {
    const written = text(lowering, childByField(member, 'name') ?? member)
    lowering.innerClasses.push(classFrom(inner, member, names.nested.get(written) ?? written))
  }
  const record = node.type === 'record_declaration' ? recordMembers(inner, node, members) : null
  return {
    at: rangeOf(node),
    name,
    bases: basesOf(lowering, node),
    annotations: lowering.visit.annotations(lowering, node),
    methods: [...(record?.methods ?? []), ...methodsOf(inner, node, members)],
    fields: [...(record?.fields ?? []), ...members.flatMap((member) => fieldsOf(inner, node, name, member))],
  }
}

/** Whether `modifiers` contain a keyword such as `static`. */
export const hasModifier = (lowering: LoweringContext, node: SyntaxNode, word: string): boolean =>
  node.children.some(
    ({ type, children }) =>
      type === 'modifiers' && children.some((child) => !child.isNamed && text(lowering, child) === word),
  )

function membersOf(node: SyntaxNode): SyntaxNode[] {
  const body = childByField(node, 'body') ?? node.children.find(({ type }) => type === 'class_body')
  if (!body) return []
  return namedChildren(body).flatMap((part) =>
    part.type === 'enum_body_declarations' ? namedChildren(part) : [part],
  )
}

function namesOf(
  lowering: LoweringContext,
  node: SyntaxNode,
  name: string,
  members: readonly SyntaxNode[],
): ClassNames {
  const fields = new Map<string, boolean>()
  const methods = new Map<string, boolean>()
  const nested = new Map<string, string>()
  const nameOf = (part: SyntaxNode) => text(lowering, childByField(part, 'name') ?? part)
  for (const member of members) {
    const isStatic = isOfClass(lowering, node, member)
    if (isClass(member)) nested.set(nameOf(member), freeName(lowering, name, nameOf(member)))
    else if (member.type === 'method_declaration') methods.set(nameOf(member), isStatic)
    else if (member.type === 'enum_constant') fields.set(nameOf(member), true)
    for (const declarator of childrenByField(member, 'declarator')) fields.set(nameOf(declarator), isStatic)
  }
  if (node.type === 'record_declaration')
    for (const part of namedChildren(childByField(node, 'parameters') ?? node))
      if (part.type === 'formal_parameter') fields.set(nameOf(part), false)
  return { name, fields, methods, nested, hasBase: basesOf(lowering, node).length > 0 }
}

function isOfClass(lowering: LoweringContext, node: SyntaxNode, member: SyntaxNode): boolean {
  const isConstant = member.type === 'constant_declaration' && node.type === 'interface_declaration'
  return isConstant || hasModifier(lowering, member, 'static')
}

function freeName({ usedNames: taken }: LoweringContext, outer: string, name: string): string {
  const free = taken.has(name) ? `${outer}$${name}` : name
  taken.add(free)
  return free
}

function basesOf(lowering: LoweringContext, node: SyntaxNode): string[] {
  if (node.type === 'object_creation_expression') return typeNames(lowering, [childByField(node, 'type')])
  const lists = node.children.filter(({ type }) =>
    /^(superclass|super_interfaces|extends_interfaces)$/.test(type),
  )
  const types = lists.flatMap((each) =>
    namedChildren(each).flatMap((part) => (part.type === 'type_list' ? namedChildren(part) : [part])),
  )
  return typeNames(lowering, types)
}

const typeNames = (lowering: LoweringContext, nodes: readonly (SyntaxNode | undefined)[]): string[] =>
  nodes.map((node) => typeName(lowering, node)).filter((name) => name !== null)

function methodsOf(
  inner: LoweringContext,
  node: SyntaxNode,
  members: readonly SyntaxNode[],
): FunctionDefinition[] {
  return members.flatMap((member) => {
    const body = childByField(member, 'body')
    switch (member.type) {
      case 'method_declaration':
        // A method without a body has no behaviour to analyze.
        return body
          ? [methodFrom(inner, node, member, text(inner, childByField(member, 'name') ?? member), body)]
          : []
      case 'constructor_declaration':
        return body ? [methodFrom(inner, node, member, CONSTRUCTOR, body)] : []
      case 'static_initializer':
      case 'block':
        return [initializer(inner, member)]
      default:
        return []
    }
  })
}

export const CONSTRUCTOR = 'constructor'

function methodFrom(
  inner: LoweringContext,
  node: SyntaxNode,
  member: SyntaxNode,
  name: string,
  body: SyntaxNode,
): FunctionDefinition {
  const isOpen = ['public', 'protected'].some((word) => hasModifier(inner, member, word))
  return functionFrom(inner, member, {
    name,
    isStatic: hasModifier(inner, member, 'static'),
    isExported: isOpen || node.type === 'interface_declaration',
    body: (within) => within.visit.statements(within, namedChildren(body)),
  })
}

/** An initializer runs automatically. No call can use this name. */
function initializer(inner: LoweringContext, member: SyntaxNode): FunctionDefinition {
  const block = namedChildren(member).find(({ type }) => type === 'block') ?? member
  return functionFrom(inner, member, {
    name: '{}',
    isStatic: member.type === 'static_initializer',
    isExported: false,
    body: (within) => within.visit.statements(within, namedChildren(block)),
  })
}

function fieldsOf(inner: LoweringContext, node: SyntaxNode, name: string, member: SyntaxNode): Field[] {
  if (member.type === 'enum_constant') return [enumConstant(inner, name, member)]
  const type = typeName(inner, childByField(member, 'type'))
  return childrenByField(member, 'declarator').map((declarator) => {
    const value = childByField(declarator, 'value')
    return {
      at: rangeOf(declarator),
      name: text(inner, childByField(declarator, 'name') ?? declarator),
      type: type && (childByField(declarator, 'dimensions') ? `${type}[]` : type),
      value: value ? inner.visit.expression(inner, value) : null,
      isStatic: isOfClass(inner, node, member),
      annotations: inner.visit.annotations(inner, member),
    }
  })
}

function enumConstant(inner: LoweringContext, name: string, member: SyntaxNode): Field {
  const at = rangeOf(member)
  const args = argumentsOf(inner, childByField(member, 'arguments'))
  return {
    at,
    name: text(inner, childByField(member, 'name') ?? member),
    type: name,
    value: { at, kind: 'call', callee: nameExpr(at, name), args, isNew: true },
    isStatic: true,
    annotations: [],
  }
}
