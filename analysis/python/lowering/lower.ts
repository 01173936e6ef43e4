// Lowers a Python file: one function per kind of statement.

import type { Expr, Program, Stmt } from '../../ir.ts'
import {
  childByField,
  childrenByField,
  namedChildren,
  type SyntaxNode,
  type SyntaxTree,
} from '../../syntax/tree.ts'
import { expressionStatement } from './assignments.ts'
import {
  argument,
  asStatement,
  assignExpr,
  branch,
  callExpr,
  type LoweringContext,
  nameExpr,
  rangeOf,
  sourceOf,
} from './context.ts'
import { annotationsOf, classOf, type DefinitionScope, functionOf } from './definitions.ts'
import { expression, printCall } from './expressions.ts'
import { importsOf } from './imports.ts'
import { lowerMatch } from './match.ts'
import { outerDeclaration, target, withDeclarations } from './variables.ts'

export function lower(tree: SyntaxTree): Program {
  const lowering: LoweringContext = { tree }
  const body = statements(lowering, namedChildren(tree.root), 'file')
  return { language: 'python', body: withDeclarations(rangeOf(tree.root), body, []), package: null }
}

function statements(
  lowering: LoweringContext,
  nodes: readonly SyntaxNode[],
  inside: DefinitionScope,
): Stmt[] {
  return nodes.flatMap((node) => {
    const lowered = LOWER[node.type]
    return lowered ? lowered(lowering, node, inside) : [asStatement(expression(lowering, node))]
  })
}

const inFunction = (lowering: LoweringContext, nodes: readonly SyntaxNode[]): Stmt[] =>
  statements(lowering, nodes, 'function')

type LowerStatement = (lowering: LoweringContext, node: SyntaxNode, inside: DefinitionScope) => Stmt[]

const block = (lowering: LoweringContext, node: SyntaxNode | undefined, inside: DefinitionScope): Stmt[] =>
  node ? statements(lowering, namedChildren(node), inside) : []

const conditional: LowerStatement = (lowering, node, inside) => {
  const [first, ...rest] = childrenByField(node, 'alternative')
  return [asked(lowering, node, inside, alternatives(lowering, first, rest, inside))]
}

function asked(
  lowering: LoweringContext,
  node: SyntaxNode,
  inside: DefinitionScope,
  otherwise: readonly Stmt[],
): Stmt {
  const test = expression(lowering, childByField(node, 'condition'))
  return branch(rangeOf(node), test, block(lowering, childByField(node, 'consequence'), inside), otherwise)
}

function alternatives(
  lowering: LoweringContext,
  node: SyntaxNode | undefined,
  rest: readonly SyntaxNode[],
  inside: DefinitionScope,
): Stmt[] {
  if (!node) return []
  if (node.type === 'else_clause') return block(lowering, childByField(node, 'body'), inside)
  const [next, ...others] = rest
  return [asked(lowering, node, inside, alternatives(lowering, next, others, inside))]
}

const NO_LOOP = { setup: [], test: null, step: [], each: null, eachKey: null, over: null } as const

const looping: LowerStatement = (lowering, node, inside) => {
  const isEach = node.type === 'for_statement'
  const body = block(lowering, childByField(node, 'body'), inside)
  const at = rangeOf(node)
  const loop: Stmt = isEach
    ? {
        ...NO_LOOP,
        kind: 'loop',
        at,
        each: target(lowering, childByField(node, 'left'), expression),
        over: expression(lowering, childByField(node, 'right')),
        body,
      }
    : { ...NO_LOOP, kind: 'loop', at, test: expression(lowering, childByField(node, 'condition')), body }
  const after = childByField(node, 'alternative')
  return [loop, ...(after ? block(lowering, childByField(after, 'body'), inside) : [])]
}

/** `with`: the context manager is bound to its name during the body. */
const entered: LowerStatement = (lowering, node, inside) => {
  const clause = node.children.find(({ type }) => type === 'with_clause')
  const items = clause
    ? namedChildren(clause).flatMap((item) => held(lowering, childByField(item, 'value')))
    : []
  return [
    {
      kind: 'block',
      at: rangeOf(node),
      body: [...items, ...block(lowering, childByField(node, 'body'), inside)],
    },
  ]
}

function held(lowering: LoweringContext, node: SyntaxNode | undefined): Stmt[] {
  if (!node) return []
  if (node.type !== 'as_pattern') return [asStatement(expression(lowering, node))]
  const value = expression(lowering, namedChildren(node)[0])
  const alias = childByField(node, 'alias')
  return [
    asStatement(
      alias ? assignExpr(rangeOf(node), target(lowering, namedChildren(alias)[0], expression), value) : value,
    ),
  ]
}

const trying: LowerStatement = (lowering, node, inside) => {
  const rest = (type: string) => node.children.filter((child) => child.type === type)
  const after = rest('else_clause').flatMap((clause) => block(lowering, childByField(clause, 'body'), inside))
  const handlers = rest('except_clause').map((clause) => {
    const caught = namedChildren(clause).find(({ type }) => type === 'as_pattern')
    const alias = caught ? childByField(caught, 'alias') : undefined
    return {
      target: alias ? target(lowering, namedChildren(alias)[0], expression) : null,
      body: block(
        lowering,
        clause.children.find(({ type }) => type === 'block'),
        inside,
      ),
    }
  })
  const finalizer = rest('finally_clause').flatMap((clause) =>
    block(
      lowering,
      clause.children.find(({ type }) => type === 'block'),
      inside,
    ),
  )
  const body = [...block(lowering, childByField(node, 'body'), inside), ...after]
  return [{ kind: 'try', at: rangeOf(node), body, handlers, finalizer }]
}

/**
 * Execution continues only if the assertion holds. The `throw` spans the whole statement, which is how a
 * rule recognizes it.
 */
const asserted: LowerStatement = (lowering, node) => {
  const [test, message] = namedChildren(node).map((part) => expression(lowering, part))
  const at = rangeOf(node)
  if (!test) return []
  const thrown = callExpr(at, nameExpr(at, 'AssertionError'), message ? [message] : [])
  const negated: Expr = { kind: 'unary', at: test.at, operator: '!', operand: test }
  return [branch(at, negated, [{ kind: 'throw', at, value: thrown }])]
}

/** `del d[k]` removes the item like `pop`. */
const deleted: LowerStatement = (lowering, node) =>
  namedChildren(node)
    .flatMap((part) => (part.type === 'expression_list' ? namedChildren(part) : [part]))
    .flatMap((part): Stmt[] => {
      const gone = expression(lowering, part)
      const at = rangeOf(node)
      if (gone.kind !== 'index' || gone.isSlice) return []
      const pop: Expr = { kind: 'member', at, object: gone.object, property: 'pop' }
      return [asStatement({ kind: 'call', at, callee: pop, args: [argument(gone.key)], isNew: false })]
    })

const decorated: LowerStatement = (lowering, node, inside) => {
  const definition = childByField(node, 'definition')
  if (!definition) return []
  const annotations = annotationsOf(lowering, node)
  return definition.type === 'class_definition'
    ? [
        {
          kind: 'class',
          at: rangeOf(node),
          definition: classOf(lowering, definition, annotations, inFunction),
        },
      ]
    : [
        {
          kind: 'function',
          at: rangeOf(node),
          definition: functionOf(lowering, definition, annotations, inside, inFunction),
        },
      ]
}

const one =
  (made: (lowering: LoweringContext, node: SyntaxNode) => Stmt | null): LowerStatement =>
  (lowering, node) => {
    const stmt = made(lowering, node)
    return stmt ? [stmt] : []
  }

const LOWER: Readonly<Record<string, LowerStatement | undefined>> = {
  expression_statement: expressionStatement,
  if_statement: conditional,
  for_statement: looping,
  while_statement: looping,
  with_statement: entered,
  try_statement: trying,
  assert_statement: asserted,
  delete_statement: deleted,
  decorated_definition: decorated,
  function_definition: (lowering, node, inside) => [
    { kind: 'function', at: rangeOf(node), definition: functionOf(lowering, node, [], inside, inFunction) },
  ],
  class_definition: one((lowering, node) => ({
    kind: 'class',
    at: rangeOf(node),
    definition: classOf(lowering, node, [], inFunction),
  })),
  match_statement: (lowering, node, inside) =>
    lowerMatch(lowering, node, (within, nodes) => statements(within, nodes, inside)),
  import_statement: importsOf,
  import_from_statement: importsOf,
  future_import_statement: () => [],
  return_statement: one((lowering, node) => {
    const [value] = namedChildren(node)
    return { kind: 'return', at: rangeOf(node), value: value ? expression(lowering, value) : null }
  }),
  raise_statement: one((lowering, node) => {
    const [value] = namedChildren(node)
    return { kind: 'throw', at: rangeOf(node), value: value ? expression(lowering, value) : null }
  }),
  break_statement: one((_lowering, node) => ({ kind: 'break', at: rangeOf(node) })),
  continue_statement: one((_lowering, node) => ({ kind: 'continue', at: rangeOf(node) })),
  global_statement: outer,
  nonlocal_statement: outer,
  pass_statement: () => [],
  type_alias_statement: () => [],
  print_statement: one((lowering, node) => asStatement(printCall(lowering, node, 'print'))),
  exec_statement: one((lowering, node) => asStatement(printCall(lowering, node, 'exec'))),
}

function outer(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  return [
    outerDeclaration(
      rangeOf(node),
      namedChildren(node).map((part) => sourceOf(lowering, part)),
    ),
  ]
}
