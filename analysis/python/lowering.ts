// What lowering a Python tree carries along, and how the small pieces of a program are made.

import type { Argument, Expr, Stmt } from '../ir.ts'
import type { Place, SyntaxNode, SyntaxTree } from '../syntax/tree.ts'
import { textOf } from '../syntax/tree.ts'

export type Lowering = { readonly tree: SyntaxTree }

export const placeOf = ({ start, end, line, endLine }: Place): Place => ({ start, end, line, endLine })

export const sourceOf = ({ tree }: Lowering, node: Place): string => textOf(tree, node)

export const literal = (at: Place, value: string | number | boolean | null): Expr => ({
  kind: 'literal',
  at,
  value,
})

export const name = (at: Place, named: string): Expr => ({ kind: 'name', at, name: named })

export const other = (at: Place, parts: readonly Expr[]): Expr => ({ kind: 'other', at, parts })

export const argument = (value: Expr, named: string | null = null): Argument => ({
  name: named,
  isSpread: false,
  value,
})

export const call = (at: Place, callee: Expr, args: readonly Expr[]): Expr => ({
  kind: 'call',
  at,
  callee,
  args: args.map((each) => argument(each)),
  isNew: false,
})

export const assign = (at: Place, target: Expr, value: Expr, operator: string | null = null): Expr => ({
  kind: 'assign',
  at,
  target,
  operator,
  value,
})

export const asStatement = (value: Expr): Stmt => ({ kind: 'expression', at: value.at, value })

/** Comments stand anywhere in the tree. */
export const isComment = ({ type }: SyntaxNode): boolean => type === 'comment'

export const branch = (
  at: Place,
  test: Expr,
  then: readonly Stmt[],
  otherwise: readonly Stmt[] = [],
): Stmt => ({
  kind: 'if',
  at,
  test,
  then,
  otherwise,
})
