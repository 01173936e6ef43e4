// Functions of Go: parameters in groups, named results that a bare return gives back, receivers.

import type { FunctionDefinition, Parameter, Stmt } from '../ir.ts'
import { branch, declaration, listOf, nameOf, placeOf } from '../ir-builders.ts'
import { childOf, childrenOf, partsOf, type SyntaxNode } from '../syntax/tree.ts'
import { isCapital, type Reading, sourceOf } from './reading.ts'

/** `isOpen`: other packages can reach it, so what is passed to it is not ours to know. */
export function functionOf(reading: Reading, node: SyntaxNode, isOpen: boolean): FunctionDefinition {
  const name = childOf(node, 'name')
  const parameters = childOf(node, 'parameters')
  const result = childOf(node, 'result')
  const body = childOf(node, 'body')
  const results = result ? resultNames(reading, result) : []
  const statements = body ? reading.statements(body) : []
  const written = name ? sourceOf(reading, name) : ''
  return {
    at: placeOf(node),
    name: written,
    parameters: parameters ? partsOf(parameters).flatMap((part) => parametersOf(reading, part)) : [],
    body: [
      ...receiverOf(reading, node),
      ...results.map(([at, each]) => declaration(at, nameOf(at, each), null)),
      ...(results.length > 0 ? statements.map((statement) => withResults(statement, results)) : statements),
    ],
    marks: [],
    returnType: result ? sourceOf(reading, result) : null,
    isExpression: false,
    isAsync: false,
    isExported: isOpen && isCapital(written),
    isStatic: false,
  }
}

/** The type that a method belongs to, without its pointer and its type arguments. */
export function receiverType(reading: Reading, node: SyntaxNode): string {
  const receiver = childOf(node, 'receiver')
  const declared = receiver && partsOf(receiver)[0]
  const type = declared && childOf(declared, 'type')
  return type ? sourceOf(reading, type).replace(/^[*(\s]+|[)\s]+$|\[[\s\S]*$/g, '') : ''
}

/** A method calls its object as it likes; everybody else calls it `this`. */
function receiverOf(reading: Reading, node: SyntaxNode): Stmt[] {
  const receiver = childOf(node, 'receiver')
  const declared = receiver && partsOf(receiver)[0]
  const name = declared && childOf(declared, 'name')
  if (!name) return []
  const at = placeOf(name)
  return [declaration(at, nameOf(at, sourceOf(reading, name)), nameOf(at, 'this'))]
}

function parametersOf(reading: Reading, node: SyntaxNode): Parameter[] {
  const type = childOf(node, 'type')
  const names = childrenOf(node, 'name').filter(({ isNamed }) => isNamed)
  const shared = {
    default: null,
    type: type ? sourceOf(reading, type) : null,
    isRest: node.type === 'variadic_parameter_declaration',
    marks: [],
  }
  if (names.length === 0) return [{ ...shared, target: nameOf(placeOf(node), '_') }]
  return names.map((name) => ({ ...shared, target: nameOf(placeOf(name), sourceOf(reading, name)) }))
}

type Result = readonly [ReturnType<typeof placeOf>, string]

function resultNames(reading: Reading, result: SyntaxNode): Result[] {
  if (result.type !== 'parameter_list') return []
  return partsOf(result).flatMap((part) =>
    childrenOf(part, 'name')
      .filter(({ isNamed }) => isNamed)
      .map((name): Result => [placeOf(name), sourceOf(reading, name)]),
  )
}

/** A bare `return` gives back what the named results hold by then. */
function withResults(statement: Stmt, results: readonly Result[]): Stmt {
  const all = (body: readonly Stmt[]) => body.map((each) => withResults(each, results))
  switch (statement.kind) {
    case 'return': {
      if (statement.value) return statement
      const names = results.map(([, name]) => nameOf(statement.at, name))
      const [only] = names
      return { ...statement, value: names.length === 1 && only ? only : listOf(statement.at, names) }
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
