// What the parts of the PHP front end hand to each other: the text, what names stand for, and the way into what may contain
// anything.

import type { Expr, Stmt } from '../../ir.ts'
import { isNamedChild, type SyntaxNode, type SyntaxTree, textOf } from '../../syntax/tree.ts'

export type Reading = {
  readonly tree: SyntaxTree
  readonly expression: (node: SyntaxNode) => Expr
  readonly statements: (node: SyntaxNode) => Stmt[]
  /** What `use … as` calls differently from how it is known. */
  readonly aliases: ReadonlyMap<string, string>
  /** Functions that are called by their name in this file: a variable of the same name is another thing. */
  readonly functions: ReadonlySet<string>
  /** What `self` and `parent` are in the class that is being read. */
  readonly self: string | null
  readonly parent: string | null
  /** The same way in, with other words: what is inside a class has another `self`. */
  readonly within: (words: Words) => Reading
}

/** What has to be known besides the way in. */
export type Words = Pick<Reading, 'tree' | 'aliases' | 'functions' | 'self' | 'parent'>

export const sourceOf = ({ tree }: { readonly tree: SyntaxTree }, node: SyntaxNode): string =>
  textOf(tree, node)

/** `$name` without its sign, unless a function or the language itself has that name. */
export function variableName(reading: Reading, node: SyntaxNode): string {
  const written = sourceOf(reading, node).replace(/^[&\s]*\$/, '')
  return SUPERGLOBALS.has(written) || reading.functions.has(written) ? `$${written}` : written
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

/** A class or function by the last part of its name: namespaces move, what people call a thing stays. */
export function shortName(reading: Reading, node: SyntaxNode): string {
  const written = sourceOf(reading, node)
  const last = written.split('\\').at(-1) ?? written
  if (last === 'self' || last === 'static') return reading.self ?? last
  if (last === 'parent') return reading.parent ?? last
  return reading.aliases.get(last) ?? last
}

export function typeText(reading: Reading, node: SyntaxNode | undefined): string | null {
  if (!node) return null
  const written = sourceOf(reading, node).replace(/^\?/, '')
  const plain = written.split('|').find((part) => part.trim() !== 'null') ?? written
  const last = plain.trim().split('\\').at(-1) ?? plain
  return reading.aliases.get(last) ?? last
}

/** A name alone, with a namespace, or relative to the namespace of the file. */
export const NAME_TYPES: ReadonlySet<string> = new Set(['name', 'qualified_name', 'relative_name'])

/** Every node of a kind below this one; functions and classes are left out where `isStopped` says so. */
export function below(
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
