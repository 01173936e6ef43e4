// Lowers a PHP file. Names lose their namespaces, because models and rules use the last segment.

import type { Program, Stmt } from '../../ir.ts'
import { rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode, type SyntaxTree } from '../../syntax/tree.ts'
import { descendants, type LoweringContext, NAME_TYPES, type NameContext, sourceOf } from './context.ts'
import { expressionOf } from './expressions.ts'
import { superglobalsOf } from './functions.ts'
import { statementsOf } from './statements.ts'

export function lower(tree: SyntaxTree): Program {
  const uses = descendants(tree.root, ({ type }) => type === 'namespace_use_declaration').flatMap((node) =>
    usesOf(tree, node),
  )
  const words = {
    tree,
    aliases: new Map(
      uses.filter(({ local, name }) => local !== name).map(({ local, name }) => [local, name]),
    ),
    functions: calledFunctions(tree),
    self: null,
    parent: null,
  }
  const lowering = createContext(words)
  const space = namedChildren(tree.root).find(({ type }) => type === 'namespace_definition')
  const name = space && childByField(space, 'name')
  return {
    language: 'php',
    package: name ? sourceOf(lowering, name) : null,
    body: [
      ...uses.map(importOf),
      ...superglobalsOf(lowering, tree.root),
      ...statementsOf(lowering, tree.root),
    ],
  }
}

function createContext(words: NameContext): LoweringContext {
  const lowering: LoweringContext = {
    ...words,
    expression: (node) => expressionOf(lowering, node),
    statements: (node) => statementsOf(lowering, node),
    within: createContext,
  }
  return lowering
}

type Use = { readonly node: SyntaxNode; readonly path: string; readonly name: string; readonly local: string }

const isClause = ({ type }: SyntaxNode) => type === 'namespace_use_clause'

function usesOf(tree: SyntaxTree, node: SyntaxNode): Use[] {
  const group = namedChildren(node).find(({ type }) => type === 'namespace_use_group')
  const prefix = group && namedChildren(node).find(({ type }) => type === 'namespace_name')
  return descendants(node, isClause).flatMap((clause) => {
    const [path] = namedChildren(clause)
    if (!path) return []
    const written = sourceOf({ tree }, path).replace(/^\\/, '')
    const name = written.split('\\').at(-1) ?? written
    const local = childByField(clause, 'alias')
    return [
      {
        node: clause,
        path: prefix ? `${sourceOf({ tree }, prefix)}\\${written}` : written,
        name,
        local: local ? sourceOf({ tree }, local) : name,
      },
    ]
  })
}

/**
 * Imported under its full path, which no expression can name. The short name stays free for the class
 * itself.
 */
const importOf = ({ node, path }: Use): Stmt => ({
  kind: 'import',
  at: rangeOf(node),
  module: path,
  imported: null,
  local: path,
})

function calledFunctions(tree: SyntaxTree): ReadonlySet<string> {
  const calls = descendants(tree.root, ({ type }) => type === 'function_call_expression')
  const names = calls.flatMap((call) => {
    const callee = childByField(call, 'function')
    return callee && NAME_TYPES.has(callee.type)
      ? [(sourceOf({ tree }, callee).split('\\').at(-1) ?? '').trim()]
      : []
  })
  return new Set([...names, ...WORDS])
}

/** Language constructs that are lowered to calls. */
const WORDS = ['echo', 'print', 'exit', 'include', 'include_once', 'require', 'require_once', 'shell_exec']
