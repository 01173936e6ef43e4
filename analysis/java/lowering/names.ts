// Resolves simple names: variables, members of this class or an enclosing one, and classes.

import type { Expr } from '../../ir.ts'
import type { SourceRange, SyntaxNode } from '../../syntax/tree.ts'
import { namedChildren } from '../../syntax/tree.ts'
import { withoutJakarta } from '../library-classes.ts'
import { dottedExpr, type LexicalScope, type LoweringContext, memberExpr, nameExpr, text } from './context.ts'

export function variableExpr(lowering: LoweringContext, at: SourceRange, name: string): Expr {
  let depth = 0
  for (const scope of upwards(lowering.scope)) {
    if (scope.variables.has(name)) return nameExpr(at, name)
    if (!scope.classNames) continue
    const isStatic = scope.classNames.fields.get(name)
    if (isStatic !== undefined) return memberExpr(at, ownerExpr(at, scope, isStatic || depth > 0), name)
    depth++
  }
  if (/^[A-Z]/.test(name) || lowering.imports.has(name)) return nameExpr(at, classNameIn(lowering, name))
  const inside = innermostClass(lowering)
  const isInherited = inside?.classNames?.hasBase === true && !lowering.scope.isStatic && !isPackage(name)
  return isInherited
    ? memberExpr(at, nameExpr(at, 'this'), name)
    : nameExpr(at, name === 'jakarta' ? 'javax' : name)
}

/** The callee of `name(…)`: a method of this class, an enclosing class or a base, or a static import. */
export function methodExpr(lowering: LoweringContext, at: SourceRange, name: string): Expr {
  let depth = 0
  for (const scope of upwards(lowering.scope)) {
    if (!scope.classNames) continue
    const isStatic = scope.classNames.methods.get(name)
    if (isStatic !== undefined) return memberExpr(at, ownerExpr(at, scope, isStatic || depth > 0), name)
    depth++
  }
  const inside = innermostClass(lowering)
  if (lowering.imports.has(name) || !inside?.classNames) return nameExpr(at, name)
  return memberExpr(at, ownerExpr(at, inside, lowering.scope.isStatic), name)
}

/** The name of a class in the program. Inner classes have a unique name there. */
export function classNameIn(lowering: LoweringContext, name: string): string {
  for (const { classNames: ofClass } of upwards(lowering.scope)) {
    const nested = ofClass?.nested.get(name)
    if (nested !== undefined) return nested
  }
  return name
}

export function classExpr(lowering: LoweringContext, node: SyntaxNode): Expr {
  const written = writtenType(lowering, node) ?? ''
  const [head = '', ...rest] = written.split('.')
  const last = rest.at(-1)
  const nested = last !== undefined && /^[A-Z]/.test(head) ? classNameIn(lowering, last) : undefined
  if (nested !== undefined && isOwnClass(lowering, nested)) return nameExpr(node, nested)
  return rest.length === 0
    ? nameExpr(node, classNameIn(lowering, head))
    : dottedExpr(node, withoutJakarta(written))
}

/** The qualified type if the imports resolve it, without type arguments. Null for `var`. */
export function typeName(lowering: LoweringContext, node: SyntaxNode | undefined): string | null {
  const written = node && writtenType(lowering, node)
  if (!written || written === 'var') return null
  const [, base = '', dimensions = ''] = /^([^[]*)((?:\[\])*)$/.exec(written) ?? []
  const [head = '', ...rest] = base.split('.')
  const imported = lowering.imports.get(head)
  const full = imported ? [imported, ...rest].join('.') : withoutJakarta(classNameIn(lowering, base))
  return full + dimensions
}

function writtenType(lowering: LoweringContext, node: SyntaxNode): string | null {
  if (node.type === 'generic_type') {
    const [first] = namedChildren(node)
    return first ? writtenType(lowering, first) : null
  }
  if (node.type === 'annotated_type') {
    const last = namedChildren(node).at(-1)
    return last ? writtenType(lowering, last) : null
  }
  if (node.type === 'array_type') {
    const [element, dimensions] = node.children
    const ranks = dimensions?.children.filter(({ type }) => type === '[').length ?? 1
    return element ? `${writtenType(lowering, element) ?? ''}${'[]'.repeat(ranks)}` : null
  }
  return text(lowering, node)
    .replace(/<[\s\S]*>/, '')
    .replace(/\s/g, '')
}

/** Whether an inner class of this file has this name in the program. */
export function isOwnClass(lowering: LoweringContext, name: string): boolean {
  for (const { classNames: ofClass } of upwards(lowering.scope))
    if (ofClass && [...ofClass.nested.values()].includes(name)) return true
  return false
}

/** A variable, or a field of an enclosing class. */
export function isVariableOrField({ scope }: LoweringContext, name: string): boolean {
  for (const { variables, classNames: ofClass } of upwards(scope))
    if (variables.has(name) || ofClass?.fields.has(name)) return true
  return false
}

function ownerExpr(at: SourceRange, scope: LexicalScope, isOfClass: boolean): Expr {
  return nameExpr(at, isOfClass ? (scope.classNames?.name ?? 'this') : 'this')
}

function innermostClass({ scope }: LoweringContext): LexicalScope | undefined {
  for (const each of upwards(scope)) if (each.classNames) return each
  return undefined
}

function* upwards(scope: LexicalScope): Generator<LexicalScope> {
  for (let at: LexicalScope | null = scope; at; at = at.parent) yield at
}

const isPackage = (name: string): boolean => /^(java|javax|jakarta|org|com|net|io)$/.test(name)
