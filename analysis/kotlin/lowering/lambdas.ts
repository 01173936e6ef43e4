// Lowers lambdas and the functions that only run one: `let`, `apply`, `with`, `runCatching`.

import type { Argument, Expr, FunctionDefinition, Parameter, Stmt } from '../../ir.ts'
import { callExpr, memberExpr, nameExpr, positional, rangeOf } from '../../ir-builders.ts'
import { namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { childOfType, type LoweringContext, nameText } from './context.ts'
import { emptyFunction, returningLast } from './functions.ts'
import { typeName, typeNodeOf } from './types.ts'

export const lambdaExpr = (lowering: LoweringContext, node: SyntaxNode): Expr => ({
  at: rangeOf(node),
  kind: 'function',
  definition: lambdaFrom(lowering, node),
})

export function lambdaFrom(lowering: LoweringContext, node: SyntaxNode): FunctionDefinition {
  const given = childOfType(node, 'lambda_parameters')
  const parameters = given
    ? namedChildren(given).map((part) => lambdaParameter(lowering, part))
    : [plainParameter(nameExpr(rangeOf(node), 'it'))]
  const nodes = namedChildren(node).filter((part) => part !== given)
  return { ...emptyFunction(node), parameters, body: returningLast(lowering, nodes) }
}

const plainParameter = (target: Expr, type: string | null = null): Parameter => ({
  target,
  default: null,
  type,
  isRest: false,
  annotations: [],
})

export function lambdaParameter(lowering: LoweringContext, node: SyntaxNode): Parameter {
  if (node.type === 'multi_variable_declaration') return plainParameter(patternExpr(lowering, node))
  const name = childOfType(node, 'identifier') ?? node
  return plainParameter(
    nameExpr(rangeOf(name), nameText(lowering, name)),
    typeName(lowering, typeNodeOf(node)),
  )
}

/** `(a, b)` */
export function patternExpr(lowering: LoweringContext, node: SyntaxNode): Expr {
  const items = namedChildren(node).map((part): Argument => {
    const name = childOfType(part, 'identifier') ?? part
    return positional(nameExpr(rangeOf(name), nameText(lowering, name)))
  })
  return { at: rangeOf(node), kind: 'list', items }
}

const WITH_ARGUMENT = /^(?:let|also|use|takeIf|takeUnless|useLines)$/
const WITH_RECEIVER = /^(?:run|apply)$/
/** The result is the object, not the last expression. */
const RETURNS_OBJECT = /^(?:also|apply|takeIf|takeUnless)$/
const WITHOUT_OBJECT =
  /^(?:run|runCatching|withContext|runBlocking|coroutineScope|supervisorScope|transaction|newSuspendedTransaction|synchronized|lazy|suspendTransaction)$/

/** Undefined if the call is of another function. */
export function scopeFunction(
  lowering: LoweringContext,
  node: SyntaxNode,
  {
    callee,
    args,
    lambda,
  }: { readonly callee: Expr; readonly args: readonly Argument[]; readonly lambda: SyntaxNode },
): Expr | undefined {
  if (callee.kind === 'member' && args.length === 0) {
    const { object, property } = callee
    if (WITH_ARGUMENT.test(property)) return applied(node, withArgument(lowering, lambda, property), [object])
    if (WITH_RECEIVER.test(property)) return applied(node, withReceiver(lowering, lambda, property), [object])
    if (property === 'withLock') return applied(node, lambdaFrom(lowering, lambda), [])
  }
  if (callee.kind !== 'name') return undefined
  const [first] = args
  if (callee.name === 'with' && first)
    return applied(node, withReceiver(lowering, lambda, 'run'), [first.value])
  if (callee.name === 'buildString') {
    const at = rangeOf(node)
    const builder = callExpr(at, nameExpr(at, 'StringBuilder'), [])
    const built = applied(node, withReceiver(lowering, lambda, 'apply'), [{ ...builder, isNew: true }])
    return callExpr(at, memberExpr(at, built, 'toString'), [])
  }
  return WITHOUT_OBJECT.test(callee.name) ? applied(node, lambdaFrom(lowering, lambda), []) : undefined
}

function applied(node: SyntaxNode, definition: FunctionDefinition, values: readonly Expr[]): Expr {
  const at = rangeOf(node)
  return callExpr(at, { at: definition.at, kind: 'function', definition }, values.map(positional))
}

function withArgument(lowering: LoweringContext, lambda: SyntaxNode, property: string): FunctionDefinition {
  const definition = lambdaFrom(lowering, lambda)
  const [object] = definition.parameters
  return RETURNS_OBJECT.test(property) && object ? returning(definition, object.target) : definition
}

/** Members of the receiver are written without it. */
function withReceiver(lowering: LoweringContext, lambda: SyntaxNode, property: string): FunctionDefinition {
  const object = nameExpr(rangeOf(lambda), `receiver at ${lambda.start}`)
  const name = object.kind === 'name' ? object.name : null
  const body = returningLast({ ...lowering, receiver: name }, namedChildren(lambda))
  const definition = { ...emptyFunction(lambda), parameters: [plainParameter(object)], body }
  return RETURNS_OBJECT.test(property) ? returning(definition, object) : definition
}

function returning(definition: FunctionDefinition, value: Expr): FunctionDefinition {
  const body = definition.body.map(
    (stmt): Stmt =>
      stmt.kind === 'return' && stmt.value ? { at: stmt.at, kind: 'expression', value: stmt.value } : stmt,
  )
  return { ...definition, body: [...body, { at: definition.at, kind: 'return', value }] }
}
