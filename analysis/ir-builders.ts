// Constructors for the intermediate representation.

import type { Argument, Expr, ExprOf, Primitive, Stmt } from './ir.ts'
import type { SourceRange, SyntaxNode } from './syntax/tree.ts'

/** The range is copied so that a program does not keep the parser's tree alive. */
export const rangeOf = ({ start, end, line, endLine }: SyntaxNode): SourceRange => ({
  start,
  end,
  line,
  endLine,
})

export const literal = (at: SourceRange, value: Primitive): Expr => ({ kind: 'literal', at, value })

export const nameExpr = (at: SourceRange, name: string): Expr => ({ kind: 'name', at, name })

export const memberExpr = (at: SourceRange, object: Expr, property: string): Expr => ({
  kind: 'member',
  at,
  object,
  property,
})

export const positional = (value: Expr): Argument => ({ name: null, isSpread: false, value })

export const callExpr = (
  at: SourceRange,
  callee: Expr,
  args: readonly Argument[],
): ExprOf<'call'> & Expr => ({
  kind: 'call',
  at,
  callee,
  args,
  isNew: false,
})

/** The name of the argument that holds the members of C#'s `new A { B = 1 }`. */
export const INITIALIZER = '{}'

export const listExpr = (at: SourceRange, items: readonly Expr[]): Expr => ({
  kind: 'list',
  at,
  items: items.map(positional),
})

export const otherExpr = (at: SourceRange, parts: readonly Expr[] = []): Expr => ({
  kind: 'other',
  at,
  parts,
})

export const wrapperExpr = (at: SourceRange, value: Expr): Expr => ({ kind: 'same', at, value, how: 'wrap' })

export const expressionStatement = (at: SourceRange, value: Expr): Stmt => ({ kind: 'expression', at, value })

export const declaration = (
  at: SourceRange,
  target: Expr,
  value: Expr | null,
  type: string | null = null,
): Stmt => ({
  kind: 'declare',
  at,
  target,
  type,
  value,
  isConstant: false,
})

export const block = (at: SourceRange, body: readonly Stmt[]): Stmt => ({ kind: 'block', at, body })

export const branch = (
  at: SourceRange,
  test: Expr,
  then: readonly Stmt[],
  otherwise: readonly Stmt[],
): Stmt => ({
  kind: 'if',
  at,
  test,
  then,
  otherwise,
})

export const conditionalExpr = (at: SourceRange, test: Expr, then: Expr, otherwise: Expr): Expr => ({
  kind: 'conditional',
  at,
  test,
  then,
  otherwise,
})
