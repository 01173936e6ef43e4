// Short ways to write the parts of a program, for front ends that make many of them.

import type { Argument, Expr, ExprOf, Primitive, Stmt } from './ir.ts'
import type { Place, SyntaxNode } from './syntax/tree.ts'

/** Places are kept apart from the parser's nodes: a program must not hold on to the tree it was made from. */
export const placeOf = ({ start, end, line, endLine }: SyntaxNode): Place => ({ start, end, line, endLine })

export const literal = (at: Place, value: Primitive): Expr => ({ kind: 'literal', at, value })

export const nameOf = (at: Place, name: string): Expr => ({ kind: 'name', at, name })

export const memberOf = (at: Place, object: Expr, property: string): Expr => ({
  kind: 'member',
  at,
  object,
  property,
})

export const positional = (value: Expr): Argument => ({ name: null, isSpread: false, value })

export const callOf = (at: Place, callee: Expr, args: readonly Argument[]): ExprOf<'call'> & Expr => ({
  kind: 'call',
  at,
  callee,
  args,
  isNew: false,
})

export const listOf = (at: Place, items: readonly Expr[]): Expr => ({
  kind: 'list',
  at,
  items: items.map(positional),
})

export const other = (at: Place, parts: readonly Expr[] = []): Expr => ({ kind: 'other', at, parts })

export const wrapped = (at: Place, value: Expr): Expr => ({ kind: 'same', at, value, how: 'wrap' })

export const expressionStatement = (at: Place, value: Expr): Stmt => ({ kind: 'expression', at, value })

export const declaration = (
  at: Place,
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

export const block = (at: Place, body: readonly Stmt[]): Stmt => ({ kind: 'block', at, body })

export const branch = (at: Place, test: Expr, then: readonly Stmt[], otherwise: readonly Stmt[]): Stmt => ({
  kind: 'if',
  at,
  test,
  then,
  otherwise,
})

export const choice = (at: Place, test: Expr, then: Expr, otherwise: Expr): Expr => ({
  kind: 'conditional',
  at,
  test,
  then,
  otherwise,
})
