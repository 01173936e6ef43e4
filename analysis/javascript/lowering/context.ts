// What the parts of the front end hand to each other. Expressions hold functions and functions hold statements, so each part
// reaches the others through this record.

import type { Expr, Primitive, Stmt } from '../../ir.ts'
import type { SourceRange, SyntaxNode, SyntaxTree } from '../../syntax/tree.ts'

export type Lowering = {
  readonly tree: SyntaxTree
  /** Functions that can be reached from outside the file. */
  readonly exported: ReadonlySet<SyntaxNode>
  /** Modules that are required in the middle of an expression, by what the lowered program calls them. */
  readonly required: Map<string, string>
  /** Names that hold a whole module: `x.default` is then the module too. */
  readonly modules: Set<string>
  /** `name` is what a function without one is known by: the variable or key that it is given to. */
  readonly expression: (node: SyntaxNode, name?: string) => Expr
  readonly statements: (nodes: readonly SyntaxNode[]) => Stmt[]
}

/** A copy: the program must not keep the parser's tree alive. */
export const placeOf = ({ start, end, line, endLine }: SourceRange): SourceRange => ({
  start,
  end,
  line,
  endLine,
})

export const sourceOf = ({ tree }: Lowering, { start, end }: SourceRange): string =>
  tree.text.slice(start, end)

export const literal = (at: SourceRange, value: Primitive): Expr => ({
  kind: 'literal',
  at: placeOf(at),
  value,
})

export const nameExpr = (at: SourceRange, name: string): Expr => ({ kind: 'name', at: placeOf(at), name })

export const other = (at: SourceRange, parts: readonly Expr[]): Expr => ({
  kind: 'other',
  at: placeOf(at),
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
