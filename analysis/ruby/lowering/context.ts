// The context of a lowering: the tree, the local variables in scope and the recursive entry points.

import type { Expr, FunctionDefinition, Stmt } from '../../ir.ts'
import { callExpr, declaration, nameExpr, rangeOf } from '../../ir-builders.ts'
import { type SyntaxNode, type SyntaxTree, textOf } from '../../syntax/tree.ts'

/** Local variables. A block sees those around it, a method does not. */
export type Locals = { readonly parent: Locals | null; readonly names: Set<string> }

export type LoweringContext = {
  readonly tree: SyntaxTree
  /** The body of each heredoc, by the start of its `<<~NAME`. */
  readonly heredocs: ReadonlyMap<number, SyntaxNode>
  readonly locals: Locals
  /** Where the current method, or block outside of methods, first uses the parameters of the request. */
  readonly requestUses: Map<string, SyntaxNode>
  /** The method around this position, for `super`. */
  readonly method: FunctionShape | null
  /** `next` and `break` leave a block like `return`, and a loop like `continue` and `break`. */
  readonly isInBlock: boolean
  readonly expression: (lowering: LoweringContext, node: SyntaxNode) => Expr
  readonly statements: (lowering: LoweringContext, nodes: readonly SyntaxNode[]) => Stmt[]
  readonly block: (lowering: LoweringContext, node: SyntaxNode) => FunctionDefinition
}

export type FunctionShape = { readonly name: string; readonly parameters: readonly string[] }

/** The name under which a method receives its block. */
export const BLOCK = '&block'

export const sourceOf = ({ tree }: LoweringContext, node: SyntaxNode): string => textOf(tree, node)

export const inBlock = (lowering: LoweringContext): LoweringContext => ({
  ...lowering,
  locals: { parent: lowering.locals, names: new Set() },
  isInBlock: true,
  ...(lowering.method === null && !lowering.isInBlock && { requestUses: new Map() }),
})

export const inMethod = (lowering: LoweringContext, method: FunctionShape): LoweringContext => ({
  ...lowering,
  locals: { parent: null, names: new Set() },
  requestUses: new Map(),
  method,
  isInBlock: false,
})

export function isLocal({ locals }: LoweringContext, name: string): boolean {
  for (let at: Locals | null = locals; at; at = at.parent) if (at.names.has(name)) return true
  return false
}

/** A name without arguments is a call, unless it is a local variable. */
export function variableOrCall(lowering: LoweringContext, node: SyntaxNode, name: string): Expr {
  const at = rangeOf(node)
  if (REQUEST_NAMES.has(name) && !isLocal(lowering, name)) {
    if (!lowering.requestUses.has(name)) lowering.requestUses.set(name, node)
    return nameExpr(at, name)
  }
  return isLocal(lowering, name) ? nameExpr(at, name) : callExpr(at, nameExpr(at, name), [])
}

/** Methods that return the same object each time, so that a check of one part is remembered. */
const REQUEST_NAMES: ReadonlySet<string> = new Set(['params', 'cookies'])

/** Reads the parameters of the request once, before the body. */
export const withRequest = ({ requestUses }: LoweringContext, body: readonly Stmt[]): Stmt[] => [
  ...[...requestUses].map(([name, node]) => {
    const at = rangeOf(node)
    return declaration(at, nameExpr(at, name), callExpr(at, nameExpr(at, name), []))
  }),
  ...body,
]

/** Declares a local variable. */
export function localExpr({ locals }: LoweringContext, node: SyntaxNode, name: string): Expr {
  locals.names.add(name)
  return nameExpr(rangeOf(node), name)
}
