// The context of a lowering: the tree, name resolution and the recursive entry points.

import type { Expr, Stmt } from '../../ir.ts'
import { isNamedChild, type SyntaxNode, type SyntaxTree, textOf } from '../../syntax/tree.ts'

export type LoweringContext = {
  readonly tree: SyntaxTree
  readonly expression: (node: SyntaxNode) => Expr
  readonly statements: (node: SyntaxNode) => Stmt[]
  /** Aliases from `use … as`. */
  readonly aliases: ReadonlyMap<string, string>
  /** Functions called by name in this file. A variable with the same name is distinct. */
  readonly functions: ReadonlySet<string>
  /** The current class for `self` and `parent`. */
  readonly self: string | null
  readonly parent: string | null
  /** The same context with other names, as inside a class. */
  readonly within: (words: NameContext) => LoweringContext
}

/** The part of the context that changes between scopes. */
export type NameContext = Pick<LoweringContext, 'tree' | 'aliases' | 'functions' | 'self' | 'parent'>

export const sourceOf = ({ tree }: { readonly tree: SyntaxTree }, node: SyntaxNode): string =>
  textOf(tree, node)

/** `$name` without its sign, unless a function or the language uses that name. */
export function variableName(lowering: LoweringContext, node: SyntaxNode): string {
  const written = sourceOf(lowering, node).replace(/^[&\s]*\$/, '')
  return SUPERGLOBALS.has(written) || lowering.functions.has(written) ? `$${written}` : written
}

export const SUPERGLOBALS: ReadonlySet<string> = new Set([
  '_GET',
  '_POST',
  '_REQUEST',
  '_COOKIE',
  '_SERVER',
  '_FILES',
  '_ENV',
  '_SESSION',
  'GLOBALS',
])

/** The last segment of a class or function name. */
export function shortName(lowering: LoweringContext, node: SyntaxNode): string {
  const written = sourceOf(lowering, node)
  const last = written.split('\\').at(-1) ?? written
  if (last === 'self' || last === 'static') return lowering.self ?? last
  if (last === 'parent') return lowering.parent ?? last
  return lowering.aliases.get(last) ?? last
}

export function typeText(lowering: LoweringContext, node: SyntaxNode | undefined): string | null {
  if (!node) return null
  const written = sourceOf(lowering, node).replace(/^\?/, '')
  const plain = written.split('|').find((part) => part.trim() !== 'null') ?? written
  const last = plain.trim().split('\\').at(-1) ?? plain
  return lowering.aliases.get(last) ?? last
}

/** A simple, qualified or relative name. */
export const NAME_TYPES: ReadonlySet<string> = new Set(['name', 'qualified_name', 'relative_name'])

/** All descendants that match. `isStopped` excludes subtrees, such as functions and classes. */
export function descendants(
  node: SyntaxNode,
  isWanted: (node: SyntaxNode) => boolean,
  isStopped: (node: SyntaxNode) => boolean = () => false,
): SyntaxNode[] {
  const found: SyntaxNode[] = []
  const walk = ({ children }: SyntaxNode) => {
    for (const part of children) {
      if (!isNamedChild(part)) continue
      if (isWanted(part)) found.push(part)
      if (part.children.length > 0 && !isStopped(part)) walk(part)
    }
  }
  walk(node)
  return found
}
