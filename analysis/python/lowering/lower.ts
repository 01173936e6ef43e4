// Lowers a Python file: one function per kind of statement.

import type { Expr, Program, Stmt } from '../../ir.ts'
import {
  childByField,
  childrenByField,
  namedChildren,
  type SyntaxNode,
  type SyntaxTree,
} from '../../syntax/tree.ts'
import {
  argument,
  asStatement,
  assign,
  branch,
  call,
  type Lowering,
  name,
  other,
  placeOf,
  sourceOf,
} from './context.ts'
import { annotationsOf, classOf, functionOf, type Inside } from './definitions.ts'
import { expression, printed } from './expressions.ts'
import { importsOf } from './imports.ts'
import { matching } from './match.ts'
import { percent } from './operators.ts'
import { typeText } from './parameters.ts'
import { target } from './targets.ts'
import { outerMark, withDeclarations } from './variables.ts'

export function lower(tree: SyntaxTree): Program {
  const from: Lowering = { tree }
  const body = statements(from, namedChildren(tree.root), 'file')
  return { language: 'python', body: withDeclarations(placeOf(tree.root), body, []), package: null }
}

function statements(from: Lowering, nodes: readonly SyntaxNode[], inside: Inside): Stmt[] {
  return nodes.flatMap((node) => {
    const lowered = LOWER[node.type]
    return lowered ? lowered(from, node, inside) : [asStatement(expression(from, node))]
  })
}

const inFunction = (from: Lowering, nodes: readonly SyntaxNode[]): Stmt[] =>
  statements(from, nodes, 'function')

type LowerStatement = (from: Lowering, node: SyntaxNode, inside: Inside) => Stmt[]

const block = (from: Lowering, node: SyntaxNode | undefined, inside: Inside): Stmt[] =>
  node ? statements(from, namedChildren(node), inside) : []

const written: LowerStatement = (from, node) => {
  const parts = namedChildren(node)
  const [only] = parts
  if (parts.length !== 1 || !only)
    return [
      asStatement(
        other(
          placeOf(node),
          parts.map((part) => expression(from, part)),
        ),
      ),
    ]
  if (only.type === 'assignment') return assignment(from, only)
  if (only.type === 'augmented_assignment') return [asStatement(augmented(from, only))]
  const value = expression(from, only)
  return isLast(from, only) ? [{ kind: 'throw', at: placeOf(node), value }] : [asStatement(value)]
}

/** Functions that never return: they raise or exit the process. */
function isLast(from: Lowering, node: SyntaxNode): boolean {
  const callee = node.type === 'call' ? childByField(node, 'function') : undefined
  return (
    callee !== undefined &&
    /^(?:(?:flask\.|bottle\.)?abort|(?:sys\.)?exit|quit|os\._exit|os\.abort)$/.test(sourceOf(from, callee))
  )
}

/** `a = b = c` assigns c to both. */
function assignment(from: Lowering, node: SyntaxNode): Stmt[] {
  const left = target(from, childByField(node, 'left'), expression)
  const right = childByField(node, 'right')
  const type = childByField(node, 'type')
  const at = placeOf(node)
  if (!right) return []
  if (right.type === 'assignment') {
    const inner = assignment(from, right)
    const again = target(from, childByField(right, 'left'), expression)
    return [...inner, asStatement(assign(at, left, again))]
  }
  const value = expression(from, right)
  if (type && left.kind === 'name')
    return [
      { kind: 'declare', at, target: left, type: typeText(sourceOf(from, type)), value, isConstant: false },
    ]
  return [asStatement(assign(at, left, value))]
}

function augmented(from: Lowering, node: SyntaxNode): Expr {
  const left = target(from, childByField(node, 'left'), expression)
  const right = expression(from, childByField(node, 'right'))
  const operator = (childByField(node, 'operator')?.type ?? '+=').slice(0, -1)
  if (operator === '%') return assign(placeOf(node), left, percent(placeOf(node), left, right))
  return assign(placeOf(node), left, right, operator)
}

const conditional: LowerStatement = (from, node, inside) => {
  const [first, ...rest] = childrenByField(node, 'alternative')
  return [asked(from, node, inside, alternatives(from, first, rest, inside))]
}

function asked(from: Lowering, node: SyntaxNode, inside: Inside, otherwise: readonly Stmt[]): Stmt {
  const test = expression(from, childByField(node, 'condition'))
  return branch(placeOf(node), test, block(from, childByField(node, 'consequence'), inside), otherwise)
}

function alternatives(
  from: Lowering,
  node: SyntaxNode | undefined,
  rest: readonly SyntaxNode[],
  inside: Inside,
): Stmt[] {
  if (!node) return []
  if (node.type === 'else_clause') return block(from, childByField(node, 'body'), inside)
  const [next, ...others] = rest
  return [asked(from, node, inside, alternatives(from, next, others, inside))]
}

const NO_LOOP = { setup: [], test: null, step: [], each: null, eachKey: null, over: null } as const

const looping: LowerStatement = (from, node, inside) => {
  const isEach = node.type === 'for_statement'
  const body = block(from, childByField(node, 'body'), inside)
  const at = placeOf(node)
  const loop: Stmt = isEach
    ? {
        ...NO_LOOP,
        kind: 'loop',
        at,
        each: target(from, childByField(node, 'left'), expression),
        over: expression(from, childByField(node, 'right')),
        body,
      }
    : { ...NO_LOOP, kind: 'loop', at, test: expression(from, childByField(node, 'condition')), body }
  const after = childByField(node, 'alternative')
  return [loop, ...(after ? block(from, childByField(after, 'body'), inside) : [])]
}

/** `with`: the context manager is bound to its name during the body. */
const entered: LowerStatement = (from, node, inside) => {
  const clause = node.children.find(({ type }) => type === 'with_clause')
  const items = clause ? namedChildren(clause).flatMap((item) => held(from, childByField(item, 'value'))) : []
  return [
    {
      kind: 'block',
      at: placeOf(node),
      body: [...items, ...block(from, childByField(node, 'body'), inside)],
    },
  ]
}

function held(from: Lowering, node: SyntaxNode | undefined): Stmt[] {
  if (!node) return []
  if (node.type !== 'as_pattern') return [asStatement(expression(from, node))]
  const value = expression(from, namedChildren(node)[0])
  const alias = childByField(node, 'alias')
  return [
    asStatement(
      alias ? assign(placeOf(node), target(from, namedChildren(alias)[0], expression), value) : value,
    ),
  ]
}

const trying: LowerStatement = (from, node, inside) => {
  const rest = (type: string) => node.children.filter((child) => child.type === type)
  const after = rest('else_clause').flatMap((clause) => block(from, childByField(clause, 'body'), inside))
  const handlers = rest('except_clause').map((clause) => {
    const caught = namedChildren(clause).find(({ type }) => type === 'as_pattern')
    const alias = caught ? childByField(caught, 'alias') : undefined
    return {
      target: alias ? target(from, namedChildren(alias)[0], expression) : null,
      body: block(
        from,
        clause.children.find(({ type }) => type === 'block'),
        inside,
      ),
    }
  })
  const finalizer = rest('finally_clause').flatMap((clause) =>
    block(
      from,
      clause.children.find(({ type }) => type === 'block'),
      inside,
    ),
  )
  const body = [...block(from, childByField(node, 'body'), inside), ...after]
  return [{ kind: 'try', at: placeOf(node), body, handlers, finalizer }]
}

/**
 * Execution continues only if the assertion holds. The `throw` spans the whole statement, which is how a
 * rule recognizes it.
 */
const asserted: LowerStatement = (from, node) => {
  const [test, message] = namedChildren(node).map((part) => expression(from, part))
  const at = placeOf(node)
  if (!test) return []
  const thrown = call(at, name(at, 'AssertionError'), message ? [message] : [])
  const negated: Expr = { kind: 'unary', at: test.at, operator: '!', operand: test }
  return [branch(at, negated, [{ kind: 'throw', at, value: thrown }])]
}

/** `del d[k]` removes the item like `pop`. */
const deleted: LowerStatement = (from, node) =>
  namedChildren(node)
    .flatMap((part) => (part.type === 'expression_list' ? namedChildren(part) : [part]))
    .flatMap((part): Stmt[] => {
      const gone = expression(from, part)
      const at = placeOf(node)
      if (gone.kind !== 'index' || gone.isSlice) return []
      const pop: Expr = { kind: 'member', at, object: gone.object, property: 'pop' }
      return [asStatement({ kind: 'call', at, callee: pop, args: [argument(gone.key)], isNew: false })]
    })

const decorated: LowerStatement = (from, node, inside) => {
  const definition = childByField(node, 'definition')
  if (!definition) return []
  const annotations = annotationsOf(from, node)
  return definition.type === 'class_definition'
    ? [{ kind: 'class', at: placeOf(node), definition: classOf(from, definition, annotations, inFunction) }]
    : [
        {
          kind: 'function',
          at: placeOf(node),
          definition: functionOf(from, definition, annotations, inside, inFunction),
        },
      ]
}

const one =
  (made: (from: Lowering, node: SyntaxNode) => Stmt | null): LowerStatement =>
  (from, node) => {
    const stmt = made(from, node)
    return stmt ? [stmt] : []
  }

const LOWER: Readonly<Record<string, LowerStatement | undefined>> = {
  expression_statement: written,
  if_statement: conditional,
  for_statement: looping,
  while_statement: looping,
  with_statement: entered,
  try_statement: trying,
  assert_statement: asserted,
  delete_statement: deleted,
  decorated_definition: decorated,
  function_definition: (from, node, inside) => [
    { kind: 'function', at: placeOf(node), definition: functionOf(from, node, [], inside, inFunction) },
  ],
  class_definition: one((from, node) => ({
    kind: 'class',
    at: placeOf(node),
    definition: classOf(from, node, [], inFunction),
  })),
  match_statement: (from, node, inside) =>
    matching(from, node, (within, nodes) => statements(within, nodes, inside)),
  import_statement: importsOf,
  import_from_statement: importsOf,
  future_import_statement: () => [],
  return_statement: one((from, node) => {
    const [value] = namedChildren(node)
    return { kind: 'return', at: placeOf(node), value: value ? expression(from, value) : null }
  }),
  raise_statement: one((from, node) => {
    const [value] = namedChildren(node)
    return { kind: 'throw', at: placeOf(node), value: value ? expression(from, value) : null }
  }),
  break_statement: one((_from, node) => ({ kind: 'break', at: placeOf(node) })),
  continue_statement: one((_from, node) => ({ kind: 'continue', at: placeOf(node) })),
  global_statement: outer,
  nonlocal_statement: outer,
  pass_statement: () => [],
  type_alias_statement: () => [],
  print_statement: one((from, node) => asStatement(printed(from, node, 'print'))),
  exec_statement: one((from, node) => asStatement(printed(from, node, 'exec'))),
}

function outer(from: Lowering, node: SyntaxNode): Stmt[] {
  return [
    outerMark(
      placeOf(node),
      namedChildren(node).map((part) => sourceOf(from, part)),
    ),
  ]
}
