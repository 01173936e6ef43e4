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
export type Scope = {
  readonly parent: Scope | null
  /** With their declared type. */
  readonly variables: Map<string, string | null>
  readonly ofClass: ClassNames | null
  readonly isStatic: boolean
}

export type Lowering = {
  readonly tree: SyntaxTree
  readonly imports: ReadonlyMap<string, string>
  readonly scope: Scope
  /** Variables declared by patterns in the current statement. */
  readonly bound: { readonly name: string; readonly at: SourceRange }[]
  /** Inner classes, which become top-level classes of the program. */
  readonly lifted: ClassDefinition[]
  readonly taken: Set<string>
  readonly visit: Visits
}

/** The parts of the lowering call each other recursively. */
export type Visits = {
  readonly expression: (lowering: Lowering, node: SyntaxNode) => Expr
  readonly statement: (lowering: Lowering, node: SyntaxNode) => Stmt[]
  readonly statements: (lowering: Lowering, nodes: readonly SyntaxNode[]) => Stmt[]
  readonly classFrom: (lowering: Lowering, node: SyntaxNode, name: string) => ClassDefinition
  readonly annotations: (lowering: Lowering, node: SyntaxNode) => Annotation[]
  /** A switch expression. */
  readonly choice: (lowering: Lowering, node: SyntaxNode) => Expr
}

export const text = ({ tree }: Lowering, node: SourceRange): string => textOf(tree, node)

export const placeOf = ({ start, end, line, endLine }: SourceRange): SourceRange => ({
  start,
  end,
  line,
  endLine,
})

export function within(lowering: Lowering, { isStatic }: { isStatic?: boolean } = {}): Lowering {
  const parent = lowering.scope
  return {
    ...lowering,
    scope: { parent, variables: new Map(), ofClass: null, isStatic: isStatic ?? parent.isStatic },
  }
}

export function withinClass(lowering: Lowering, ofClass: ClassNames): Lowering {
  return {
    ...lowering,
    scope: { parent: lowering.scope, variables: new Map(), ofClass, isStatic: false },
  }
}

export const nameExpr = (at: SourceRange, name: string): Expr => ({ at: placeOf(at), kind: 'name', name })

export const memberExpr = (at: SourceRange, object: Expr, property: string): Expr => ({
  at: placeOf(at),
  kind: 'member',
  object,
  property,
})

/** `a.b.C` as a chain of members. */
export function dottedExpr(at: SourceRange, name: string): Expr {
  const [head = '', ...rest] = name.split('.')
  return rest.reduce((object, part) => memberExpr(at, object, part), nameExpr(at, head))
}
