// The context of a lowering. Expressions contain functions and functions contain statements, so each part
// reaches the others through this record.

import type { Expr, ExprOf, Primitive, Stmt } from '../../ir.ts'
import type { SourceRange, SyntaxNode, SyntaxTree } from '../../syntax/tree.ts'

export type LoweringContext = {
  readonly tree: SyntaxTree
  /** Functions callable from other files. */
  readonly exported: ReadonlySet<SyntaxNode>
  /** Modules required inside an expression, with their generated names. */
  readonly required: Map<string, string>
  /** Names bound to a whole module, whose `default` is the module too. */
  readonly modules: Set<string>
  /** All regular expressions of the file. */
  readonly regexes: (Expr & ExprOf<'regex'>)[]
  /** `name` names an anonymous function: the variable or key it is assigned to. */
  readonly expression: (node: SyntaxNode, name?: string) => Expr
  readonly statements: (nodes: readonly SyntaxNode[]) => Stmt[]
}

/** A copy, so that the program does not keep the parser's tree alive. */
export const rangeOf = ({ start, end, line, endLine }: SourceRange): SourceRange => ({
  start,
  end,
  line,
  endLine,
})

export const sourceOf = ({ tree }: LoweringContext, { start, end }: SourceRange): string =>
  tree.text.slice(start, end)

export const literal = (at: SourceRange, value: Primitive): Expr => ({
  kind: 'literal',
  at: rangeOf(at),
  value,
})

export const nameExpr = (at: SourceRange, name: string): Expr => ({ kind: 'name', at: rangeOf(at), name })

export const otherExpr = (at: SourceRange, parts: readonly Expr[]): Expr => ({
  kind: 'other',
  at: rangeOf(at),
  parts,
})

export const isFunctionNode = ({ type }: SyntaxNode): boolean => FUNCTIONS.has(type)

export const isClassNode = ({ type }: SyntaxNode): boolean => CLASSES.has(type)

const FUNCTIONS = new Set([
  'function',
  'function_expression',
  'function_declaration',
  'generator_function',
  'generator_function_declaration',
  'arrow_function',
  'method_definition',
])

const CLASSES = new Set(['class', 'class_declaration', 'abstract_class_declaration'])
