// Python declares a variable for the whole function by assigning it. The intermediate representation needs
// explicit declarations.

import type { Expr, Parameter, Stmt } from '../../ir.ts'
import type { SourceRange } from '../../syntax/tree.ts'
import { name } from './context.ts'
import { namesIn } from './targets.ts'

/** The body with declarations of all its variables at the top. */
export function withDeclarations(
  at: SourceRange,
  body: readonly Stmt[],
  taken: readonly Parameter[],
): Stmt[] {
  const outer = new Set([...taken.flatMap(({ target }) => namesIn(target)), ...body.flatMap(outerNames)])
  const own = new Set(body.flatMap(writtenBy))
  return [...[...own].filter((each) => !outer.has(each)).map((each) => declared(at, each)), ...body]
}

/**
 * `global x` and `nonlocal x`: the variable belongs to an outer scope. The statement itself has no effect.
 */
export const outerMark = (at: SourceRange, names: readonly string[]): Stmt => ({
  kind: 'expression',
  at,
  value: { kind: 'other', at, parts: [name(at, OUTER), ...names.map((each) => name(at, each))] },
})

/** Python names cannot contain `$`, so the name cannot collide. */
const OUTER = '$outer'

const declared = (at: SourceRange, named: string): Stmt => ({
  kind: 'declare',
  at: { ...at, end: at.start, endLine: at.line },
  target: name(at, named),
  type: null,
  value: null,
  isConstant: false,
})

function outerNames(stmt: Stmt): string[] {
  if (stmt.kind !== 'expression' || stmt.value.kind !== 'other') return innerOf(stmt).flatMap(outerNames)
  const names = stmt.value.parts.flatMap((part) => (part.kind === 'name' ? [part.name] : []))
  return names[0] === OUTER ? names : []
}

function writtenBy(stmt: Stmt): string[] {
  const inside = innerOf(stmt).flatMap(writtenBy)
  switch (stmt.kind) {
    case 'expression':
    case 'return':
      return stmt.value ? writtenIn(stmt.value) : []
    case 'if':
      return [...writtenIn(stmt.test), ...inside]
    case 'loop':
      return [...(stmt.each ? namesIn(stmt.each) : []), ...(stmt.test ? writtenIn(stmt.test) : []), ...inside]
    case 'try':
      return [...stmt.handlers.flatMap(({ target }) => (target ? namesIn(target) : [])), ...inside]
    default:
      return inside
  }
}

/** The nested statements of the same function. */
function innerOf(stmt: Stmt): readonly Stmt[] {
  switch (stmt.kind) {
    case 'if':
      return [...stmt.then, ...stmt.otherwise]
    case 'loop':
    case 'block':
      return stmt.body
    case 'switch':
      return stmt.cases.flatMap(({ body }) => body)
    case 'try':
      return [...stmt.body, ...stmt.handlers.flatMap(({ body }) => body), ...stmt.finalizer]
    default:
      return []
  }
}

/** Assignments are statements, but the walrus operator also occurs in tests and operands. */
function writtenIn(expr: Expr): string[] {
  switch (expr.kind) {
    case 'assign':
      return [...namesIn(expr.target), ...writtenIn(expr.value)]
    case 'binary':
      return [...writtenIn(expr.left), ...writtenIn(expr.right)]
    case 'unary':
      return writtenIn(expr.operand)
    case 'conditional':
      return [...writtenIn(expr.test), ...writtenIn(expr.then), ...writtenIn(expr.otherwise)]
    case 'call':
      return expr.args.flatMap(({ value }) => writtenIn(value))
    default:
      return []
  }
}
