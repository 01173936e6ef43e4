// The context of a lowering, and constructors for the intermediate representation.

import type { Argument, Expr, Stmt } from '../../ir.ts'
import type { SourceRange, SyntaxNode, SyntaxTree } from '../../syntax/tree.ts'
import { textOf } from '../../syntax/tree.ts'

export type LoweringContext = { readonly tree: SyntaxTree }

export const rangeOf = ({ start, end, line, endLine }: SourceRange): SourceRange => ({
  start,
  end,
  line,
  endLine,
})

export const sourceOf = ({ tree }: LoweringContext, node: SourceRange): string => textOf(tree, node)

export const literal = (at: SourceRange, value: string | number | boolean | null): Expr => ({
  kind: 'literal',
  at,
  value,
})

export const nameExpr = (at: SourceRange, named: string): Expr => ({ kind: 'name', at, name: named })

export const otherExpr = (at: SourceRange, parts: readonly Expr[]): Expr => ({ kind: 'other', at, parts })

export const argument = (value: Expr, named: string | null = null): Argument => ({
  name: named,
  isSpread: false,
  value,
})

export const callExpr = (at: SourceRange, callee: Expr, args: readonly Expr[]): Expr => ({
  kind: 'call',
  at,
  callee,
  args: args.map((each) => argument(each)),
  isNew: false,
})

export const assignExpr = (
  at: SourceRange,
  target: Expr,
  value: Expr,
  operator: string | null = null,
): Expr => ({
  kind: 'assign',
  at,
  target,
  operator,
  value,
})

export const asStatement = (value: Expr): Stmt => ({ kind: 'expression', at: value.at, value })

/** Comments can occur anywhere in the tree. */
export const isComment = ({ type }: SyntaxNode): boolean => type === 'comment'

export const branch = (
  at: SourceRange,
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
