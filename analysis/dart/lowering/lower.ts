// Lowers a Dart file.

import type { Program, Stmt } from '../../ir.ts'
import { nameExpr, rangeOf } from '../../ir-builders.ts'
import { childByField, type SyntaxNode, type SyntaxTree, textOf } from '../../syntax/tree.ts'
import { classOf, isClass, namesIn, returnTypeOf, typeIn } from './classes.ts'
import { isComma, type LoweringContext, partsOf, sourceOf, splitAt } from './context.ts'
import { sequenceOf } from './expressions.ts'
import { annotationsIn, closureOf, functionFrom, listIn } from './functions.ts'
import { statementOf, statementsOf } from './statements.ts'

export function lower(tree: SyntaxTree): Program {
  const parts = partsOf(tree.root.children)
  const imports = parts
    .filter(({ type }) => type === 'import_or_export')
    .flatMap((part) => importOf(tree, part))
  const lowering: LoweringContext = {
    tree,
    prefixes: new Map(
      imports.flatMap(({ prefix, library }) => (prefix === null ? [] : [[prefix, library] as const])),
    ),
    sequence: sequenceOf,
    statements: statementsOf,
    closure: closureOf,
  }
  const body = imports.map(
    ({ at, module }): Stmt => ({ kind: 'import', at, module, imported: null, local: '*' }),
  )
  return { language: 'dart', body: [...body, ...topLevel(lowering, parts)], package: null }
}

function importOf(tree: SyntaxTree, node: SyntaxNode) {
  const written = textOf(tree, node)
  const module = /^import\s+['"]([^'"]+)['"]/.exec(written)?.[1]
  if (module === undefined) return []
  const prefix = /\bas\s+(\w+)/.exec(written)?.[1] ?? null
  const library = /^package:([^/]+)\//.exec(module)?.[1] ?? /^dart:(\w+)/.exec(module)?.[1] ?? ''
  return [{ at: rangeOf(node), module, prefix, library }]
}

/** Signatures are followed by their bodies, and modifiers by the names they declare. */
function topLevel(lowering: LoweringContext, parts: readonly SyntaxNode[]): Stmt[] {
  const body: Stmt[] = []
  let marks: SyntaxNode[] = []
  for (const [index, part] of parts.entries()) {
    if (part.type === 'annotation' || /_builtin$|^type_|^inferred_type$|^nullable_type$/.test(part.type)) {
      marks.push(part)
      continue
    }
    const next = parts[index + 1]
    if (isClass(part)) body.push(...classOf(lowering, part, marks))
    else if (/^(?:function|getter|setter)_signature$/.test(part.type) && next?.type === 'function_body')
      body.push(functionOf(lowering, part, next, marks))
    else if (/_list$/.test(part.type)) body.push(...variablesOf(lowering, part, marks))
    else body.push(...statementOf(lowering, part))
    marks = []
  }
  return body
}

function functionOf(
  lowering: LoweringContext,
  signature: SyntaxNode,
  body: SyntaxNode,
  marks: readonly SyntaxNode[],
): Stmt {
  const name = childByField(signature, 'name')
  const definition = functionFrom(lowering, {
    name: name ? sourceOf(lowering, name) : '',
    at: signature,
    list: listIn(signature),
    body,
    annotations: annotationsIn(lowering, marks),
    returnType: returnTypeOf(lowering, signature),
  })
  return { kind: 'function', at: definition.at, definition }
}

function variablesOf(lowering: LoweringContext, list: SyntaxNode, marks: readonly SyntaxNode[]): Stmt[] {
  const type = typeIn(lowering, { ...list, children: marks })
  const isConstant = marks.some(({ type: kind }) => /^(?:final|const)_builtin$/.test(kind))
  return namesIn({ ...list, children: splitAt(list.children, isComma).flat() }).map(
    ({ at, name, value }): Stmt => {
      const given = value.length > 0 ? lowering.sequence(lowering, value) : null
      return {
        kind: 'declare',
        at: rangeOf(at),
        target: nameExpr(rangeOf(name), sourceOf(lowering, name)),
        type,
        value: given,
        isConstant: isConstant && given !== null,
      }
    },
  )
}
