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
import { below, type Reading, SUPERGLOBALS, shortName, sourceOf, typeText, variableName } from './context.ts'

export function functionOf(reading: Reading, node: SyntaxNode, isReachable = true): FunctionDefinition {
  const [name, list, result, body] = ['name', 'parameters', 'return_type', 'body'].map((field) =>
    childByField(node, field),
  )
  const parameters = list ? namedChildren(list).map((part) => parameterOf(reading, part)) : []
  const isArrow = node.type === 'arrow_function'
  const kinds = new Set(node.children.map(({ type }) => type))
  return {
    at: rangeOf(node),
    name: name ? sourceOf(reading, name) : '',
    parameters,
    body: body ? bodyOf(reading, node, body, parameters, isArrow) : [],
    annotations: annotationsOf(reading, node),
    returnType: typeText(reading, result),
    isExpression: isArrow,
    isAsync: false,
    isExported: isReachable && isPublic(reading, node),
    isStatic: kinds.has('static_modifier'),
  }
}

/** Attributes: `#[Route('/x')]`. */
export function annotationsOf(reading: Reading, node: SyntaxNode): Annotation[] {
  const list = childByField(node, 'attributes')
  if (!list) return []
  return below(list, ({ type }) => type === 'attribute').map((attribute) => {
    const [name] = namedChildren(attribute)
    const parameters = childByField(attribute, 'parameters')
    const args: Argument[] = parameters ? argumentsOf(reading, parameters) : []
    return { name: name ? shortName(reading, name) : '', args }
  })
}

function isPublic(reading: Reading, node: SyntaxNode): boolean {
  const visibility = node.children.find(({ type }) => type === 'visibility_modifier')
  return !visibility || sourceOf(reading, visibility) === 'public'
}

function parameterOf(reading: Reading, node: SyntaxNode): Parameter {
  const [name, type, value] = ['name', 'type', 'default_value'].map((field) => childByField(node, field))
  const at = rangeOf(name ?? node)
  return {
    target: name ? nameExpr(at, variableName(reading, name)) : otherExpr(at),
    default: value ? reading.expression(value) : null,
    type: typeText(reading, type),
    isRest: node.type === 'variadic_parameter',
    annotations: annotationsOf(reading, node),
  }
}

function bodyOf(
  reading: Reading,
  node: SyntaxNode,
  body: SyntaxNode,
  parameters: readonly Parameter[],
  isArrow: boolean,
): Stmt[] {
  // An arrow function captures the enclosing variables.
  if (isArrow) return [expressionStatement(rangeOf(body), reading.expression(body))]
  const known = new Set(parameters.flatMap(({ target }) => (target.kind === 'name' ? [target.name] : [])))
  return [...localsOf(reading, node, body, known), ...promotedOf(reading, node), ...reading.statements(body)]
}

const CLOSED = new Set(['function_definition', 'anonymous_function', 'class_declaration', 'declaration_list'])

/** The variables that are neither parameters nor captured. */
function localsOf(reading: Reading, node: SyntaxNode, body: SyntaxNode, known: ReadonlySet<string>): Stmt[] {
  const shared = new Set([
    ...known,
    ...namedChildren(node)
      .filter(({ type }) => type === 'anonymous_function_use_clause')
      .flatMap((clause) => namesBelow(reading, clause)),
    ...below(body, ({ type }) => type === 'global_declaration').flatMap((each) => namesBelow(reading, each)),
    'this',
  ])
  const local = new Set(namesBelow(reading, body).filter((name) => !shared.has(name)))
  const at = rangeOf(body)
  return [
    ...superglobalsOf(reading, body),
    ...[...local].map((name) => declaration(at, nameExpr(at, name), null)),
  ]
}

const isVariable = ({ type }: SyntaxNode): boolean => type === 'variable_name'
const isClosed = ({ type }: SyntaxNode): boolean => CLOSED.has(type)
const isSuperglobal = (name: string): boolean => SUPERGLOBALS.has(name.replace('$', ''))

function namesBelow(reading: Reading, node: SyntaxNode): string[] {
  return below(node, isVariable, isClosed)
    .map((each) => variableName(reading, each))
    .filter((name) => !isSuperglobal(name))
}

/**
 * A superglobal becomes a local variable of each function that uses it, so that guards can refine its
 * entries.
 */
export function superglobalsOf(reading: Reading, body: SyntaxNode): Stmt[] {
  const first = new Map<string, Stmt>()
  for (const node of below(body, isVariable, isClosed)) {
    const name = variableName(reading, node)
    if (!isSuperglobal(name) || first.has(name)) continue
    const at = rangeOf(node)
    first.set(name, declaration(at, nameExpr(at, name), nameExpr(at, name)))
  }
  return [...first.values()]
}

/** A constructor assigns its promoted properties first. */
function promotedOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const list = childByField(node, 'parameters')
  if (!list) return []
  return namedChildren(list)
    .filter(({ type }) => type === 'property_promotion_parameter')
    .flatMap((part) => childByField(part, 'name') ?? [])
    .map((name) => {
      const at = rangeOf(name)
      const written = variableName(reading, name)
      return expressionStatement(at, {
        kind: 'assign',
        at,
        target: memberExpr(at, nameExpr(at, 'this'), sourceOf(reading, name).replace(/^\$/, '')),
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
