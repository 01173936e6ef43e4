// Lowers functions: grouped parameters, named results and receivers.

import type { FunctionDefinition, Parameter, Stmt } from '../../ir.ts'
import { branch, declaration, listExpr, nameExpr, rangeOf } from '../../ir-builders.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { isCapital, type LoweringContext, sourceOf } from './context.ts'

/** `isOpen`: other packages can call it, so its arguments are unknown. */
export function functionOf(lowering: LoweringContext, node: SyntaxNode, isOpen: boolean): FunctionDefinition {
  const name = childByField(node, 'name')
  const parameters = childByField(node, 'parameters')
  const result = childByField(node, 'result')
  const body = childByField(node, 'body')
  const results = result ? resultNames(lowering, result) : []
  const statements = body ? lowering.statements(body) : []
  const written = name ? sourceOf(lowering, name) : ''
  return {
    at: rangeOf(node),
    name: written,
    parameters: parameters ? namedChildren(parameters).flatMap((part) => parametersOf(lowering, part)) : [],
    body: [
      ...receiverOf(lowering, node),
      ...results.map(([at, each]) => declaration(at, nameExpr(at, each), null)),
      ...(results.length > 0 ? statements.map((statement) => withResults(statement, results)) : statements),
    ],
    annotations: [],
    returnType: result ? sourceOf(lowering, result) : null,
    isExpression: false,
    isAsync: false,
    isExported: isOpen && isCapital(written),
    isStatic: false,
  }
}

/** The receiver type, without pointer and type arguments. */
export function receiverType(lowering: LoweringContext, node: SyntaxNode): string {
  const receiver = childByField(node, 'receiver')
  const declared = receiver && namedChildren(receiver)[0]
  const type = declared && childByField(declared, 'type')
  return type ? sourceOf(lowering, type).replace(/^[*(\s]+|[)\s]+$|\[[\s\S]*$/g, '') : ''
}

/** A method chooses the name of its receiver. The intermediate representation uses `this`. */
function receiverOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const receiver = childByField(node, 'receiver')
  const declared = receiver && namedChildren(receiver)[0]
  const name = declared && childByField(declared, 'name')
  if (!name) return []
  const at = rangeOf(name)
  return [declaration(at, nameExpr(at, sourceOf(lowering, name)), nameExpr(at, 'this'))]
}

function parametersOf(lowering: LoweringContext, node: SyntaxNode): Parameter[] {
  const type = childByField(node, 'type')
  const names = childrenByField(node, 'name').filter(({ isNamed }) => isNamed)
  const shared = {
    default: null,
    type: type ? sourceOf(lowering, type) : null,
    isRest: node.type === 'variadic_parameter_declaration',
    annotations: [],
  }
  if (names.length === 0) return [{ ...shared, target: nameExpr(rangeOf(node), '_') }]
  return names.map((name) => ({ ...shared, target: nameExpr(rangeOf(name), sourceOf(lowering, name)) }))
}

type NamedResult = readonly [ReturnType<typeof rangeOf>, string]

function resultNames(lowering: LoweringContext, result: SyntaxNode): NamedResult[] {
  if (result.type !== 'parameter_list') return []
  return namedChildren(result).flatMap((part) =>
    childrenByField(part, 'name')
      .filter(({ isNamed }) => isNamed)
      .map((name): NamedResult => [rangeOf(name), sourceOf(lowering, name)]),
  )
}

/** A bare `return` returns the named results. */
function withResults(statement: Stmt, results: readonly NamedResult[]): Stmt {
  const all = (body: readonly Stmt[]) => body.map((each) => withResults(each, results))
  switch (statement.kind) {
    case 'return': {
      if (statement.value) return statement
      const names = results.map(([, name]) => nameExpr(statement.at, name))
      const [only] = names
      return { ...statement, value: names.length === 1 && only ? only : listExpr(statement.at, names) }
    }
    case 'if':
      return branch(statement.at, statement.test, all(statement.then), all(statement.otherwise))
    case 'loop':
      return { ...statement, body: all(statement.body) }
    case 'block':
      return { ...statement, body: all(statement.body) }
    case 'switch':
      return { ...statement, cases: statement.cases.map((each) => ({ ...each, body: all(each.body) })) }
    default:
      return statement
  }
}
