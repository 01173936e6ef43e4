// The context of a lowering: the text, and what the lowered parts leave for the parts around them.

import type { Annotation, ClassDefinition, Expr, Stmt } from '../../ir.ts'
import { type SourceRange, type SyntaxNode, type SyntaxTree, textOf } from '../../syntax/tree.ts'

export type LoweringContext = {
  readonly tree: SyntaxTree
  /** Variables declared by patterns and `out` arguments in the current statement. */
  readonly patternVariables: { readonly name: string; readonly at: SourceRange }[]
  /** Inner classes, which become top-level classes of the program. */
  readonly innerClasses: ClassDefinition[]
  /** Properties of the enclosing class that run code when they are read. */
  readonly computedProperties: ReadonlySet<string>
  readonly visit: Visitors
}

/** The parts of the lowering call each other recursively. */
export type Visitors = {
  readonly expression: (lowering: LoweringContext, node: SyntaxNode) => Expr
  readonly statements: (lowering: LoweringContext, nodes: readonly SyntaxNode[]) => Stmt[]
  readonly annotations: (lowering: LoweringContext, node: SyntaxNode) => Annotation[]
}

export const text = ({ tree }: LoweringContext, node: SourceRange): string => textOf(tree, node)

/** Runs with a separate list for the variables that patterns declare, and declares them first. */
export function withPatternVariables(
  lowering: LoweringContext,
  run: (own: LoweringContext) => readonly Stmt[],
): Stmt[] {
  const own: LoweringContext = { ...lowering, patternVariables: [] }
  const made = run(own)
  const declared = own.patternVariables.map(
    ({ name, at }): Stmt => ({
      at,
      kind: 'declare',
      target: { at, kind: 'name', name },
      type: null,
      value: null,
      isConstant: false,
    }),
  )
  return [...declared, ...made]
}

/** Keywords such as `static` and `this`, which the grammar calls modifiers. */
export const hasModifier = (lowering: LoweringContext, node: SyntaxNode, word: string): boolean =>
  node.children.some((child) => child.type === 'modifier' && text(lowering, child) === word)

export const childOfType = (node: SyntaxNode, type: string): SyntaxNode | undefined =>
  node.children.find((child) => child.type === type)
