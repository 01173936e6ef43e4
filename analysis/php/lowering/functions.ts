// Lowers functions and closures. A function has its own variables. They are declared at its top, so that
// variables of the file stay out of scope.

import type { Annotation, Argument, FunctionDefinition, Parameter, Stmt } from '../../ir.ts'
import {
  callExpr,
  declaration,
  expressionStatement,
  memberExpr,
  nameExpr,
  otherExpr,
  rangeOf,
} from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { argumentsOf } from './calls.ts'
import {
  descendants,
  type LoweringContext,
  SUPERGLOBALS,
  shortName,
  sourceOf,
  typeText,
  variableName,
} from './context.ts'

export function functionOf(
  lowering: LoweringContext,
  node: SyntaxNode,
  isReachable = true,
): FunctionDefinition {
  const [name, list, result, body] = ['name', 'parameters', 'return_type', 'body'].map((field) =>
    childByField(node, field),
  )
  const parameters = list ? namedChildren(list).map((part) => parameterOf(lowering, part)) : []
  const isArrow = node.type === 'arrow_function'
  const kinds = new Set(node.children.map(({ type }) => type))
  return {
    at: rangeOf(node),
    name: name ? sourceOf(lowering, name) : '',
    parameters,
    body: body ? bodyOf(lowering, node, body, parameters, isArrow) : [],
    annotations: annotationsOf(lowering, node),
    returnType: typeText(lowering, result),
    isExpression: isArrow,
    isAsync: false,
    isExported: isReachable && isPublic(lowering, node),
    isStatic: kinds.has('static_modifier'),
  }
}

/** Attributes: `#[Route('/x')]`. */
export function annotationsOf(lowering: LoweringContext, node: SyntaxNode): Annotation[] {
  const list = childByField(node, 'attributes')
  if (!list) return []
  return descendants(list, ({ type }) => type === 'attribute').map((attribute) => {
    const [name] = namedChildren(attribute)
    const parameters = childByField(attribute, 'parameters')
    const args: Argument[] = parameters ? argumentsOf(lowering, parameters) : []
    return { name: name ? shortName(lowering, name) : '', args }
  })
}

function isPublic(lowering: LoweringContext, node: SyntaxNode): boolean {
  const visibility = node.children.find(({ type }) => type === 'visibility_modifier')
  return !visibility || sourceOf(lowering, visibility) === 'public'
}

function parameterOf(lowering: LoweringContext, node: SyntaxNode): Parameter {
  const [name, type, value] = ['name', 'type', 'default_value'].map((field) => childByField(node, field))
  const at = rangeOf(name ?? node)
  return {
    target: name ? nameExpr(at, variableName(lowering, name)) : otherExpr(at),
    default: value ? lowering.expression(value) : null,
    type: typeText(lowering, type),
    isRest: node.type === 'variadic_parameter',
    annotations: annotationsOf(lowering, node),
  }
}

function bodyOf(
  lowering: LoweringContext,
  node: SyntaxNode,
  body: SyntaxNode,
  parameters: readonly Parameter[],
  isArrow: boolean,
): Stmt[] {
  // An arrow function captures the enclosing variables.
  if (isArrow) return [expressionStatement(rangeOf(body), lowering.expression(body))]
  const known = new Set(parameters.flatMap(({ target }) => (target.kind === 'name' ? [target.name] : [])))
  return [
    ...localsOf(lowering, node, body, known),
    ...promotedOf(lowering, node),
    ...lowering.statements(body),
  ]
}

const CLOSED = new Set(['function_definition', 'anonymous_function', 'class_declaration', 'declaration_list'])

/** The variables that are neither parameters nor captured. */
function localsOf(
  lowering: LoweringContext,
  node: SyntaxNode,
  body: SyntaxNode,
  known: ReadonlySet<string>,
): Stmt[] {
  const shared = new Set([
    ...known,
    ...namedChildren(node)
      .filter(({ type }) => type === 'anonymous_function_use_clause')
      .flatMap((clause) => namesBelow(lowering, clause)),
    ...descendants(body, ({ type }) => type === 'global_declaration').flatMap((each) =>
      namesBelow(lowering, each),
    ),
    'this',
  ])
  const local = new Set(namesBelow(lowering, body).filter((name) => !shared.has(name)))
  const at = rangeOf(body)
  return [
    ...superglobalsOf(lowering, body),
    ...[...local].map((name) => declaration(at, nameExpr(at, name), null)),
  ]
}

const isVariable = ({ type }: SyntaxNode): boolean => type === 'variable_name'
const isClosed = ({ type }: SyntaxNode): boolean => CLOSED.has(type)
const isSuperglobal = (name: string): boolean => SUPERGLOBALS.has(name.replace('$', ''))

function namesBelow(lowering: LoweringContext, node: SyntaxNode): string[] {
  return descendants(node, isVariable, isClosed)
    .map((each) => variableName(lowering, each))
    .filter((name) => !isSuperglobal(name))
}

/**
 * A superglobal becomes a local variable of each function that uses it, so that guards can refine its
 * entries.
 */
export function superglobalsOf(lowering: LoweringContext, body: SyntaxNode): Stmt[] {
  const first = new Map<string, Stmt>()
  for (const node of descendants(body, isVariable, isClosed)) {
    const name = variableName(lowering, node)
    if (!isSuperglobal(name) || first.has(name)) continue
    const at = rangeOf(node)
    first.set(name, declaration(at, nameExpr(at, name), nameExpr(at, name)))
  }
  return [...first.values()]
}

/** A constructor assigns its promoted properties first. */
function promotedOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const list = childByField(node, 'parameters')
  if (!list) return []
  return namedChildren(list)
    .filter(({ type }) => type === 'property_promotion_parameter')
    .flatMap((part) => childByField(part, 'name') ?? [])
    .map((name) => {
      const at = rangeOf(name)
      const written = variableName(lowering, name)
      return expressionStatement(at, {
        kind: 'assign',
        at,
        target: memberExpr(at, nameExpr(at, 'this'), sourceOf(lowering, name).replace(/^\$/, '')),
        operator: null,
        value: nameExpr(at, written),
      })
    })
}

/** Whether a call ends the program. */
export const isEnd = (name: string): boolean => ENDS.has(name.toLowerCase())

const ENDS = new Set([
  'exit',
  'die',
  'abort',
  'wp_die',
  'wp_send_json',
  'wp_send_json_error',
  'wp_send_json_success',
])

export const exitCall = (at: ReturnType<typeof rangeOf>, args: readonly Argument[]) =>
  callExpr(at, nameExpr(at, 'exit'), args)
