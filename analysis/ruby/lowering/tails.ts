// The last expression of a body is its value: it is returned or assigned.

import type { Expr, Stmt } from '../../ir.ts'

/** Replaces each expression that ends the statements. */
export function endingWith(body: readonly Stmt[], use: (value: Expr) => Stmt): Stmt[] {
  const last = body.at(-1)
  return last ? [...body.slice(0, -1), ...lastOf(last, use)] : []
}

export const endingWithReturn = (body: readonly Stmt[]): Stmt[] =>
  endingWith(body, (value) => ({ kind: 'return', at: value.at, value }))

function lastOf(stmt: Stmt, use: (value: Expr) => Stmt): Stmt[] {
  switch (stmt.kind) {
    case 'expression':
      return isResponse(stmt.value) ? [stmt] : [use(stmt.value)]
    case 'if':
      return [{ ...stmt, then: endingWith(stmt.then, use), otherwise: endingWith(stmt.otherwise, use) }]
    case 'switch':
      return [{ ...stmt, cases: stmt.cases.map((each) => ({ ...each, body: endingWith(each.body, use) })) }]
    case 'try':
      return [
        {
          ...stmt,
          body: endingWith(stmt.body, use),
          handlers: stmt.handlers.map((each) => ({ ...each, body: endingWith(each.body, use) })),
        },
      ]
    case 'block':
      return [{ ...stmt, body: endingWith(stmt.body, use) }]
    default:
      return [stmt]
  }
}

/** `head :unauthorized` and `render` answer the request. Their value is not used. */
export const isResponse = (expr: Expr): boolean =>
  expr.kind === 'call' &&
  expr.callee.kind === 'name' &&
  /^(?:head|render|redirect_to|redirect_back)$/.test(expr.callee.name)
