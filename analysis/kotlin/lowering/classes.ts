// Lowers classes, objects, interfaces and enums. Inner classes become top-level classes.

import type { ClassDefinition, Field, FunctionDefinition, Parameter, Stmt } from '../../ir.ts'
import { callExpr, expressionStatement, memberExpr, nameExpr, rangeOf } from '../../ir-builders.ts'
import { namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { argumentsOf } from './calls.ts'
import { childOfType, hasModifier, hasToken, type LoweringContext, nameText, text } from './context.ts'
import { isComputedProperty } from './expressions.ts'
import { bodyStatements, emptyFunction, functionFrom, parameterFrom } from './functions.ts'
import { propertyValue } from './statements.ts'
import { typeName, typeNodeOf } from './types.ts'

export const isClass = ({ type }: SyntaxNode): boolean =>
  /^(?:class_declaration|object_declaration)$/.test(type)

const CONSTRUCTOR = 'constructor'

export function classFrom(lowering: LoweringContext, node: SyntaxNode): ClassDefinition {
  const written = node.children.find(({ field }) => field === 'name')
  const name = written ? nameText(lowering, written) : ''
  const members = membersOf(node)
  const computed = members.filter(isComputedProperty).map((member) => propertyName(lowering, member))
  const inner: LoweringContext = { ...lowering, computedProperties: new Set(computed), receiver: null }
  for (const member of members) if (isClass(member)) lowering.innerClasses.push(classFrom(lowering, member))
  const primary = primaryOf(inner, node)
  const statics = members.filter(({ type }) => type === 'companion_object').flatMap(membersOf)
  const build = { inner, className: name, hasParameters: primary.parameters.length > 0 }
  const started = members.flatMap((member) => initialization(build, member))
  const above = baseCall(inner, node)
  return {
    at: rangeOf(node),
    name,
    bases: basesOf(lowering, node),
    annotations: lowering.visit.annotations(lowering, node),
    methods: [
      ...(primary.parameters.length > 0 || started.length > 0
        ? [constructorFrom(inner, node, primary, [...above, ...primary.kept, ...started])]
        : []),
      ...members.flatMap((member) => methodsOf(inner, member, false)),
      ...statics.flatMap((member) => methodsOf(inner, member, true)),
    ],
    fields: [
      ...primary.fields,
      ...members.flatMap((member) => fieldsOf(build, member, false)),
      ...statics.flatMap((member) => fieldsOf({ ...build, hasParameters: false }, member, true)),
    ],
  }
}

const membersOf = (node: SyntaxNode): SyntaxNode[] => {
  const body = childOfType(node, 'class_body') ?? childOfType(node, 'enum_class_body')
  return body ? namedChildren(body) : []
}

function basesOf(lowering: LoweringContext, node: SyntaxNode): string[] {
  const list = childOfType(node, 'delegation_specifiers')
  return (list ? namedChildren(list) : []).flatMap((part) => {
    const called =
      childOfType(part, 'constructor_invocation') ?? childOfType(part, 'explicit_delegation') ?? part
    return typeName(lowering, typeNodeOf(called)) ?? []
  })
}

type Primary = {
  readonly parameters: readonly Parameter[]
  readonly fields: readonly Field[]
  readonly kept: readonly Stmt[]
}

/** Parameters with `val` or `var` are properties. */
function primaryOf(inner: LoweringContext, node: SyntaxNode): Primary {
  const list = childOfType(childOfType(node, 'primary_constructor') ?? node, 'class_parameters')
  const nodes = list ? namedChildren(list).filter(({ type }) => type === 'class_parameter') : []
  const parameters = nodes.map((part): Parameter => {
    const made = parameterFrom(inner, part, childOfType(part, 'modifiers'))
    const at = part.children.findIndex(({ isNamed, type }) => !isNamed && type === '=')
    const value = at === -1 ? undefined : part.children.slice(at + 1).find(({ isNamed }) => isNamed)
    return { ...made, default: value ? inner.visit.expression(inner, value) : null }
  })
  const kept = parameters.filter((_, index) =>
    ['val', 'var'].some((word) => hasToken(nodes[index] ?? node, word)),
  )
  return {
    parameters,
    fields: kept.map(({ target, type, annotations }) => ({
      at: target.at,
      name: target.kind === 'name' ? target.name : '',
      type,
      value: null,
      isStatic: false,
      annotations,
    })),
    kept: kept.flatMap(({ target }) =>
      target.kind === 'name' ? [assignThis(target.at, target.name, target)] : [],
    ),
  }
}

const assignThis = (at: Field['at'], name: string, value: Parameter['target']): Stmt =>
  expressionStatement(at, {
    at,
    kind: 'assign',
    target: memberExpr(at, nameExpr(at, 'this'), name),
    operator: null,
    value,
  })

function baseCall(inner: LoweringContext, node: SyntaxNode): Stmt[] {
  const list = childOfType(node, 'delegation_specifiers')
  const called =
    list && namedChildren(list).flatMap((part) => childOfType(part, 'constructor_invocation') ?? [])[0]
  const given = called && childOfType(called, 'value_arguments')
  if (!given || namedChildren(given).length === 0) return []
  const at = rangeOf(given)
  return [expressionStatement(at, callExpr(at, nameExpr(at, 'super'), argumentsOf(inner, given)))]
}

function constructorFrom(
  inner: LoweringContext,
  node: SyntaxNode,
  { parameters }: Primary,
  body: readonly Stmt[],
): FunctionDefinition {
  const place = childOfType(node, 'primary_constructor') ?? node
  const isExported = !hasModifier(inner, place, 'private')
  return { ...emptyFunction(place), name: CONSTRUCTOR, parameters, body, isExported }
}

type Build = { readonly inner: LoweringContext; readonly className: string; readonly hasParameters: boolean }

/** `init { … }`, and properties whose initializers can use the parameters of the constructor. */
function initialization({ inner, hasParameters }: Build, member: SyntaxNode): Stmt[] {
  if (member.type === 'anonymous_initializer') {
    const block = childOfType(member, 'block')
    return block ? inner.visit.statements(inner, namedChildren(block)) : []
  }
  if (!hasParameters || !isInitialized(member)) return []
  const value = propertyValue(inner, member)
  return value ? [assignThis(rangeOf(member), propertyName(inner, member), value)] : []
}

const isInitialized = (member: SyntaxNode): boolean =>
  member.type === 'property_declaration' &&
  !isComputedProperty(member) &&
  !member.children.some(({ type }) => /^(?:string_literal|number_literal|float_literal)$/.test(type))

const propertyName = (lowering: LoweringContext, member: SyntaxNode): string => {
  const declared = childOfType(member, 'variable_declaration')
  const name = declared && childOfType(declared, 'identifier')
  return name ? nameText(lowering, name) : ''
}

function methodsOf(inner: LoweringContext, member: SyntaxNode, isStatic: boolean): FunctionDefinition[] {
  switch (member.type) {
    case 'function_declaration':
      return childOfType(member, 'function_body') ? [{ ...functionFrom(inner, member), isStatic }] : []
    case 'secondary_constructor':
      return [secondaryConstructor(inner, member)]
    case 'property_declaration':
      return accessorsOf(inner, member)
    default:
      return []
  }
}

function secondaryConstructor(inner: LoweringContext, member: SyntaxNode): FunctionDefinition {
  const base = functionFrom(inner, member)
  const delegation = childOfType(member, 'constructor_delegation_call')
  const at = rangeOf(member)
  const callee = delegation && /^super\b/.test(text(inner, delegation)) ? 'super' : 'this'
  const args = delegation ? argumentsOf(inner, childOfType(delegation, 'value_arguments')) : []
  const block = childOfType(member, 'block')
  return {
    ...base,
    name: CONSTRUCTOR,
    body: [
      ...(delegation ? [expressionStatement(at, callExpr(at, nameExpr(at, callee), args))] : []),
      ...(block ? inner.visit.statements(inner, namedChildren(block)) : []),
    ],
  }
}

/** The engine calls `get name` where the property is read. */
function accessorsOf(inner: LoweringContext, member: SyntaxNode): FunctionDefinition[] {
  const property = propertyName(inner, member)
  return ['getter', 'setter'].flatMap((kind) => {
    const accessor = childOfType(member, kind)
    const body = accessor && childOfType(accessor, 'function_body')
    if (!accessor || !body) return []
    const given = childOfType(accessor, 'identifier')
    const parameters = given ? [parameterFrom(inner, accessor, undefined)] : []
    const name = `${kind === 'getter' ? 'get' : 'set'} ${property}`
    return [{ ...emptyFunction(accessor), name, parameters, body: bodyStatements(inner, body) }]
  })
}

function fieldsOf(
  { inner, className, hasParameters }: Build,
  member: SyntaxNode,
  isStatic: boolean,
): Field[] {
  const field = {
    at: rangeOf(member),
    value: null,
    isStatic,
    annotations: inner.visit.annotations(inner, member),
  }
  if (member.type === 'enum_entry') {
    const name = childOfType(member, 'identifier')
    return name ? [{ ...field, name: nameText(inner, name), type: className, isStatic: true }] : []
  }
  if (member.type !== 'property_declaration' || isComputedProperty(member)) return []
  const declared = childOfType(member, 'variable_declaration')
  const type = declared ? typeName(inner, typeNodeOf(declared)) : null
  const value = hasParameters && isInitialized(member) ? null : propertyValue(inner, member)
  return [{ ...field, name: propertyName(inner, member), type, value }]
}
