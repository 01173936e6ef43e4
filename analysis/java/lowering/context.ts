// The context of a lowering: the text, the imports and the visible names.

import type { Annotation, ClassDefinition, Expr, Stmt } from '../../ir.ts'
import { type SourceRange, type SyntaxNode, type SyntaxTree, textOf } from '../../syntax/tree.ts'

export type ClassNames = {
  readonly name: string
  /** True for static members. */
  readonly fields: ReadonlyMap<string, boolean>
  readonly methods: ReadonlyMap<string, boolean>
  /** Inner classes: the name in the source and the name in the program. */
  readonly nested: ReadonlyMap<string, string>
  readonly hasBase: boolean
}

/** A lexical scope: a class or a block with its variables. */
export type LexicalScope = {
  readonly parent: LexicalScope | null
  /** With their declared type. */
  readonly variables: Map<string, string | null>
  readonly classNames: ClassNames | null
  readonly isStatic: boolean
}

export type LoweringContext = {
  readonly tree: SyntaxTree
  readonly imports: ReadonlyMap<string, string>
  readonly scope: LexicalScope
  /** Variables declared by patterns in the current statement. */
  readonly patternVariables: { readonly name: string; readonly at: SourceRange }[]
  /** Inner classes, which become top-level classes of the program. */
  readonly innerClasses: ClassDefinition[]
  readonly usedNames: Set<string>
  readonly visit: Visitors
}

/** The parts of the lowering call each other recursively. */
export type Visitors = {
  readonly expression: (lowering: LoweringContext, node: SyntaxNode) => Expr
  readonly statement: (lowering: LoweringContext, node: SyntaxNode) => Stmt[]
  readonly statements: (lowering: LoweringContext, nodes: readonly SyntaxNode[]) => Stmt[]
  readonly classFrom: (lowering: LoweringContext, node: SyntaxNode, name: string) => ClassDefinition
  readonly annotations: (lowering: LoweringContext, node: SyntaxNode) => Annotation[]
  /** A switch expression. */
  readonly switchExpression: (lowering: LoweringContext, node: SyntaxNode) => Expr
}

export const text = ({ tree }: LoweringContext, node: SourceRange): string => textOf(tree, node)

export const rangeOf = ({ start, end, line, endLine }: SourceRange): SourceRange => ({
  start,
  end,
  line,
  endLine,
})

export function withScope(
  lowering: LoweringContext,
  { isStatic }: { isStatic?: boolean } = {},
): LoweringContext {
  const parent = lowering.scope
  return {
    ...lowering,
    scope: { parent, variables: new Map(), classNames: null, isStatic: isStatic ?? parent.isStatic },
  }
}

export function withClassScope(lowering: LoweringContext, ofClass: ClassNames): LoweringContext {
  return {
    ...lowering,
    scope: { parent: lowering.scope, variables: new Map(), classNames: ofClass, isStatic: false },
  }
}

export const nameExpr = (at: SourceRange, name: string): Expr => ({ at: rangeOf(at), kind: 'name', name })

export const memberExpr = (at: SourceRange, object: Expr, property: string): Expr => ({
  at: rangeOf(at),
  kind: 'member',
  object,
  property,
})

/** `a.b.C` as a chain of members. */
export function dottedExpr(at: SourceRange, name: string): Expr {
  const [head = '', ...rest] = name.split('.')
  return rest.reduce((object, part) => memberExpr(at, object, part), nameExpr(at, head))
}
