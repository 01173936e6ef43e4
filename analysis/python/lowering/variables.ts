// Variables, assignment targets and parameters. Python declares a variable for the whole function by assigning
// it, but the intermediate representation needs explicit declarations.

import type { Annotation, Argument, Expr, Parameter, Stmt } from '../../ir.ts'
import { childByField, namedChildren, type SourceRange, type SyntaxNode } from '../../syntax/tree.ts'
import { argument, type LoweringContext, nameExpr, rangeOf, sourceOf } from './context.ts'

/** The body with declarations of all its variables at the top. */
export function withDeclarations(
  at: SourceRange,
  body: readonly Stmt[],
  taken: readonly Parameter[],
): Stmt[] {
  const outer = new Set([...taken.flatMap(({ target }) => namesIn(target)), ...body.flatMap(outerNames)])
  const own = new Set(body.flatMap(assignedBy))
  return [...[...own].filter((each) => !outer.has(each)).map((each) => declared(at, each)), ...body]
}

/**
 * `global x` and `nonlocal x`: the variable belongs to an outer scope. The statement itself has no effect.
 */
export const outerDeclaration = (at: SourceRange, names: readonly string[]): Stmt => ({
  kind: 'expression',
  at,
  value: { kind: 'other', at, parts: [nameExpr(at, OUTER), ...names.map((each) => nameExpr(at, each))] },
})

/** Python names cannot contain `$`, so the name cannot collide. */
const OUTER = '$outer'

const declared = (at: SourceRange, named: string): Stmt => ({
  kind: 'declare',
  at: { ...at, end: at.start, endLine: at.line },
  target: nameExpr(at, named),
  type: null,
  value: null,
  isConstant: false,
})

function outerNames(stmt: Stmt): string[] {
  if (stmt.kind !== 'expression' || stmt.value.kind !== 'other') return innerOf(stmt).flatMap(outerNames)
  const names = stmt.value.parts.flatMap((part) => (part.kind === 'name' ? [part.name] : []))
  return names[0] === OUTER ? names : []
}

function assignedBy(stmt: Stmt): string[] {
  const inside = innerOf(stmt).flatMap(assignedBy)
  switch (stmt.kind) {
    case 'expression':
    case 'return':
      return stmt.value ? assignedIn(stmt.value) : []
    case 'if':
      return [...assignedIn(stmt.test), ...inside]
    case 'loop':
      return [
        ...(stmt.each ? namesIn(stmt.each) : []),
        ...(stmt.test ? assignedIn(stmt.test) : []),
        ...inside,
      ]
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
function assignedIn(expr: Expr): string[] {
  switch (expr.kind) {
    case 'assign':
      return [...namesIn(expr.target), ...assignedIn(expr.value)]
    case 'binary':
      return [...assignedIn(expr.left), ...assignedIn(expr.right)]
    case 'unary':
      return assignedIn(expr.operand)
    case 'conditional':
      return [...assignedIn(expr.test), ...assignedIn(expr.then), ...assignedIn(expr.otherwise)]
    case 'call':
      return expr.args.flatMap(({ value }) => assignedIn(value))
    default:
      return []
  }
}

type LowerExpression = (lowering: LoweringContext, node: SyntaxNode | undefined) => Expr

/** Lowers an assignment target or loop variable. */
export function target(
  lowering: LoweringContext,
  node: SyntaxNode | undefined,
  lower: LowerExpression,
): Expr {
  if (!node) return lower(lowering, node)
  if (PATTERNS.has(node.type)) {
    const items = namedChildren(node).map((part): Argument => argument(target(lowering, part, lower)))
    return { kind: 'list', at: rangeOf(node), items }
  }
  const [inner] = namedChildren(node)
  if (node.type === 'list_splat_pattern' || node.type === 'list_splat')
    return { kind: 'rest', at: rangeOf(node), target: target(lowering, inner, lower) }
  if (WRAPPED.has(node.type)) return target(lowering, inner, lower)
  return lower(lowering, node)
}

/** The names bound by a target. */
export function namesIn(written: Expr): string[] {
  if (written.kind === 'name') return [written.name]
  if (written.kind === 'list') return written.items.flatMap(({ value }) => namesIn(value))
  if (written.kind === 'map') return written.entries.flatMap(({ value }) => namesIn(value))
  if (written.kind === 'rest' || written.kind === 'default') return namesIn(written.target)
  return []
}

const PATTERNS = new Set([
  'pattern_list',
  'tuple_pattern',
  'list_pattern',
  'expression_list',
  'tuple',
  'list',
])
const WRAPPED = new Set(['parenthesized_expression', 'as_pattern_target'])

export function parameters(
  lowering: LoweringContext,
  node: SyntaxNode | undefined,
  lower: LowerExpression,
): Parameter[] {
  const taken = node ? namedChildren(node).filter(({ type }) => !type.endsWith('_separator')) : []
  return taken.map((each) => parameter(lowering, each, lower))
}

/** `**options` collects the remaining named arguments. */
export const KEYWORD_ARGUMENTS: Annotation = { name: '**', args: [] }

function parameter(lowering: LoweringContext, node: SyntaxNode, lower: LowerExpression): Parameter {
  const named =
    childByField(node, 'name') ?? (node.type === 'typed_parameter' ? namedChildren(node)[0] : node) ?? node
  const type = childByField(node, 'type')
  const value = childByField(node, 'value')
  const isEntries = named.type === 'dictionary_splat_pattern'
  const isRest = isEntries || named.type === 'list_splat_pattern'
  const inner = isRest ? namedChildren(named)[0] : named
  return {
    target:
      inner?.type === 'identifier'
        ? nameExpr(rangeOf(inner), sourceOf(lowering, inner))
        : target(lowering, inner, lower),
    default: value ? lower(lowering, value) : null,
    type: type ? typeText(sourceOf(lowering, type)) : null,
    isRest,
    annotations: isEntries ? [KEYWORD_ARGUMENTS] : [],
  }
}

/** A quoted type such as `'Request'` is the same type. */
export const typeText = (written: string): string => written.replace(/^(['"])(.*)\1$/s, '$2')
