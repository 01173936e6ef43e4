// Lowers classes, records, structs, interfaces and enums. Inner classes become top-level classes.

import type { Argument, ClassDefinition, Expr, Field, FunctionDefinition, Parameter, Stmt } from '../../ir.ts'
import {
  callExpr,
  expressionStatement,
  literal,
  memberExpr,
  nameExpr,
  positional,
  rangeOf,
} from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { argumentsOf } from './calls.ts'
import { childOfType, hasModifier, type LoweringContext, text } from './context.ts'
import { functionFrom, parametersOf } from './functions.ts'
import { typeName } from './types.ts'

export const isClass = ({ type }: SyntaxNode): boolean =>
  /^(?:class|record|struct|interface|enum)_declaration$/.test(type)

export function classFrom(lowering: LoweringContext, node: SyntaxNode): ClassDefinition {
  const name = nameOf(lowering, node)
  const members = membersOf(node)
  const inner: LoweringContext = { ...lowering, computedProperties: computedIn(lowering, members) }
  for (const member of members) if (isClass(member)) lowering.innerClasses.push(classFrom(lowering, member))
  const primary = childOfType(node, 'parameter_list')
  const parameters = primary ? parametersOf(inner, primary) : []
  return {
    at: rangeOf(node),
    name,
    bases: basesOf(lowering, node),
    annotations: lowering.visit.annotations(lowering, node),
    methods: [
      ...(primary ? [primaryConstructor(inner, node, primary, parameters)] : []),
      ...members.flatMap((member) => methodsOf(inner, node, member)),
    ],
    fields: [
      ...parameters.map((parameter) => fieldOfParameter(parameter)),
      ...members.flatMap((member) => fieldsOf(inner, member, name)),
    ],
  }
}

const nameOf = (lowering: LoweringContext, node: SyntaxNode): string =>
  text(lowering, childByField(node, 'name') ?? { ...node, end: node.start })

/** Both branches of `#if` belong to the class. */
function membersOf(node: SyntaxNode): SyntaxNode[] {
  const body = childByField(node, 'body')
  const flat = (part: SyntaxNode): SyntaxNode[] =>
    /^preproc_(?:if|elif|else)$/.test(part.type) ? namedChildren(part).flatMap(flat) : [part]
  return body ? namedChildren(body).flatMap(flat) : []
}

function basesOf(lowering: LoweringContext, node: SyntaxNode): string[] {
  const list = childOfType(node, 'base_list')
  return (list ? namedChildren(list) : []).flatMap((part) => {
    const type = part.type === 'primary_constructor_base_type' ? childByField(part, 'type') : part
    return typeName(lowering, type) ?? []
  })
}

/** A primary constructor keeps its parameters for the whole class. */
function primaryConstructor(
  inner: LoweringContext,
  node: SyntaxNode,
  list: SyntaxNode,
  parameters: readonly Parameter[],
): FunctionDefinition {
  const at = rangeOf(list)
  const above = childOfType(childOfType(node, 'base_list') ?? node, 'primary_constructor_base_type')
  const given = above && childOfType(above, 'argument_list')
  return {
    at,
    name: CONSTRUCTOR,
    parameters,
    body: [
      ...(given ? [baseCall(at, 'super', argumentsOf(inner, given))] : []),
      ...parameters.flatMap(({ target }) => (target.kind === 'name' ? [kept(target.at, target.name)] : [])),
    ],
    annotations: [],
    returnType: null,
    isExpression: false,
    isAsync: false,
    isExported: false,
    isStatic: false,
  }
}

const CONSTRUCTOR = 'constructor'

const kept = (at: Expr['at'], name: string): Stmt =>
  expressionStatement(at, {
    at,
    kind: 'assign',
    target: memberExpr(at, nameExpr(at, 'this'), name),
    operator: null,
    value: nameExpr(at, name),
  })

const baseCall = (at: Expr['at'], callee: 'super' | 'this', args: readonly Argument[]): Stmt =>
  expressionStatement(at, callExpr(at, nameExpr(at, callee), args))

const fieldOfParameter = ({ target, type, annotations }: Parameter): Field => ({
  at: target.at,
  name: target.kind === 'name' ? target.name : '',
  type,
  value: null,
  isStatic: false,
  annotations,
})

function methodsOf(inner: LoweringContext, node: SyntaxNode, member: SyntaxNode): FunctionDefinition[] {
  const isStatic = hasModifier(inner, member, 'static')
  const isExported =
    ['public', 'protected', 'internal'].some((word) => hasModifier(inner, member, word)) ||
    node.type === 'interface_declaration'
  switch (member.type) {
    case 'method_declaration':
    case 'operator_declaration':
    case 'conversion_operator_declaration':
    case 'destructor_declaration':
      return childByField(member, 'body')
        ? [functionFrom(inner, member, { name: nameOf(inner, member), isStatic, isExported })]
        : []
    case 'constructor_declaration':
      return [
        functionFrom(inner, member, {
          name: CONSTRUCTOR,
          isExported,
          before: delegation(inner, member),
        }),
      ]
    case 'property_declaration':
    case 'indexer_declaration':
      return accessorsOf(inner, member)
    default:
      return []
  }
}

/** `: base(…)` and `: this(…)`. */
function delegation(inner: LoweringContext, member: SyntaxNode): Stmt[] {
  const initializer = childOfType(member, 'constructor_initializer')
  const given = initializer && childOfType(initializer, 'argument_list')
  if (!initializer || !given) return []
  const isOwn = /^\s*:\s*this\b/.test(text(inner, initializer))
  return [baseCall(rangeOf(initializer), isOwn ? 'this' : 'super', argumentsOf(inner, given))]
}

/** The name of the method that computes a property, as the engine expects it. */
const getterName = (property: string): string => `get ${property}`

function computedIn(lowering: LoweringContext, members: readonly SyntaxNode[]): ReadonlySet<string> {
  return new Set(members.filter(isComputed).map((member) => nameOf(lowering, member)))
}

function isComputed(member: SyntaxNode): boolean {
  if (member.type !== 'property_declaration') return false
  if (childByField(member, 'value')?.type === 'arrow_expression_clause') return true
  return accessorNodes(member).some((each) => childByField(each, 'body') !== undefined)
}

const accessorNodes = (member: SyntaxNode): SyntaxNode[] =>
  namedChildren(childByField(member, 'accessors') ?? { ...member, children: [] })

function accessorsOf(inner: LoweringContext, member: SyntaxNode): FunctionDefinition[] {
  const property = nameOf(inner, member)
  const value = childByField(member, 'value')
  if (value?.type === 'arrow_expression_clause') {
    const asFunction = { ...member, children: [{ ...value, field: 'body' }] }
    return [functionFrom(inner, asFunction, { name: getterName(property) })]
  }
  return accessorNodes(member)
    .filter((each) => childByField(each, 'body'))
    .map((each) => {
      const kind = text(inner, childByField(each, 'name') ?? each)
      const accessor = functionFrom(inner, each, { name: `${kind} ${property}` })
      const at = rangeOf(each)
      const type = typeName(inner, childByField(member, 'type'))
      const given = { target: nameExpr(at, 'value'), default: null, type, isRest: false, annotations: [] }
      return kind === 'get' ? accessor : { ...accessor, parameters: [given] }
    })
}

function fieldsOf(inner: LoweringContext, member: SyntaxNode, className: string): Field[] {
  const annotations = inner.visit.annotations(inner, member)
  const isStatic = hasModifier(inner, member, 'static') || hasModifier(inner, member, 'const')
  if (member.type === 'enum_member_declaration')
    return [{ ...fieldOf(inner, member, null), type: className, isStatic: true }]
  if (member.type === 'property_declaration') {
    if (isComputed(member)) return []
    const at = rangeOf(member)
    const isBound = annotations.some(({ name }) => name === 'BindProperty')
    const value = childByField(member, 'value')
    const bound = callExpr(at, nameExpr(at, BOUND), [positional(literal(at, nameOf(inner, member)))])
    return [
      {
        ...fieldOf(inner, member, typeName(inner, childByField(member, 'type'))),
        value: isBound ? bound : value ? inner.visit.expression(inner, value) : null,
        isStatic,
        annotations,
      },
    ]
  }
  const declared = member.type === 'field_declaration' && childOfType(member, 'variable_declaration')
  if (!declared) return []
  const type = typeName(inner, childByField(declared, 'type'))
  return namedChildren(declared)
    .filter(({ type: kind }) => kind === 'variable_declarator')
    .map((each) => {
      const value = initialValue(each)
      return {
        ...fieldOf(inner, each, type),
        value: value ? inner.visit.expression(inner, value) : null,
        isStatic,
        annotations,
      }
    })
}

/** The value of a property with `[BindProperty]`, which the framework fills from the request. */
export const BOUND = '[BindProperty]'

/** The expression after `=`. */
export function initialValue(declarator: SyntaxNode): SyntaxNode | undefined {
  const assigned = declarator.children.findIndex(({ type }) => type === '=')
  return assigned === -1 ? undefined : declarator.children.slice(assigned + 1).find(({ isNamed }) => isNamed)
}

const fieldOf = (inner: LoweringContext, node: SyntaxNode, type: string | null): Field => ({
  at: rangeOf(node),
  name: nameOf(inner, node),
  type,
  value: null,
  isStatic: false,
  annotations: [],
})
