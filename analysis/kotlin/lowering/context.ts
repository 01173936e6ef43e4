// The context of a lowering: the text, the imports and the receiver of the enclosing lambda.

import type { Annotation, ClassDefinition, Expr, Stmt } from '../../ir.ts'
import { type SourceRange, type SyntaxNode, type SyntaxTree, textOf } from '../../syntax/tree.ts'

export type LoweringContext = {
  readonly tree: SyntaxTree
  readonly imports: ReadonlyMap<string, string>
  /** All names that the file declares or imports. Other names may be members of a receiver. */
  readonly declaredNames: ReadonlySet<string>
  /** Properties of the enclosing class that run code when they are read. */
  readonly computedProperties: ReadonlySet<string>
  /** The variable that holds the receiver of an enclosing `apply`, `run` or `with`, or `this` of an extension function. */
  readonly receiver: string | null
  /** Inner classes, which become top-level classes of the program. */
  readonly innerClasses: ClassDefinition[]
  readonly visit: Visitors
}

/** The parts of the lowering call each other recursively. */
export type Visitors = {
  readonly expression: (lowering: LoweringContext, node: SyntaxNode) => Expr
  readonly statements: (lowering: LoweringContext, nodes: readonly SyntaxNode[]) => Stmt[]
  readonly annotations: (lowering: LoweringContext, node: SyntaxNode) => Annotation[]
  readonly classFrom: (lowering: LoweringContext, node: SyntaxNode) => ClassDefinition
}

export const text = ({ tree }: LoweringContext, node: SourceRange): string => textOf(tree, node)

/** Without the backticks of an escaped name. */
export const nameText = (lowering: LoweringContext, node: SourceRange): string =>
  text(lowering, node).replaceAll('`', '')

export const childOfType = (node: SyntaxNode, type: string): SyntaxNode | undefined =>
  node.children.find((child) => child.type === type)

export const hasToken = (node: SyntaxNode, token: string): boolean =>
  node.children.some(({ isNamed, type }) => !isNamed && type === token)

/** Words such as `private` and `const`. */
export function hasModifier(lowering: LoweringContext, node: SyntaxNode, word: string): boolean {
  const modifiers = childOfType(node, 'modifiers')
  return modifiers?.children.some((child) => text(lowering, child) === word) ?? false
}

/** The expression after `=`. */
export function assignedValue(node: SyntaxNode): SyntaxNode | undefined {
  const at = node.children.findIndex(({ type, isNamed }) => !isNamed && type === '=')
  return at === -1
    ? undefined
    : node.children.slice(at + 1).find(({ isNamed, type }) => isNamed && !type.includes('comment'))
}
