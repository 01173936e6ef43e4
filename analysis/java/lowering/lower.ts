// Lowers a Java file.

import type { Annotation, Argument, Program, Stmt } from '../../ir.ts'
import { childByField, namedChildren, type SyntaxNode, type SyntaxTree, textOf } from '../../syntax/tree.ts'
import { builtins } from '../library-classes.ts'
import { classFrom, hasModifier, isClass } from './classes.ts'
import { type LoweringContext, rangeOf, text } from './context.ts'
import { expression } from './expressions.ts'
import { functionFrom } from './functions.ts'
import { importsOf } from './imports.ts'
import { statement, statements } from './statements.ts'
import { switchExpression } from './switch.ts'

export function lower(tree: SyntaxTree): Program {
  const parts = namedChildren(tree.root)
  const imports = importsOf(tree)
  const lowering: LoweringContext = {
    tree,
    imports: new Map([
      ...BUILTINS,
      ...imports.map(({ local, module }): [string, string] => [local, `${module}.${local}`]),
    ]),
    scope: { parent: null, variables: new Map(), classNames: null, isStatic: false },
    patternVariables: [],
    innerClasses: [],
    usedNames: new Set(parts.filter(isClass).map((part) => textOf(tree, childByField(part, 'name') ?? part))),
    visit: { expression, statement, statements, classFrom, annotations: lowerAnnotations, switchExpression },
  }
  const body = parts.flatMap((part) => topLevel(lowering, part))
  const lifted = lowering.innerClasses.map(
    (definition): Stmt => ({ at: definition.at, kind: 'class', definition }),
  )
  return { language: 'java', body: [...imports, ...lifted, ...body], package: packageOf(tree, parts) }
}

const BUILTINS = builtins()

/** A fragment of a file may have methods and statements without a class. */
function topLevel(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  if (/^(import|package|module)_declaration$/.test(node.type)) return []
  if (isClass(node)) {
    const name = text(lowering, childByField(node, 'name') ?? node)
    return [{ at: rangeOf(node), kind: 'class', definition: classFrom(lowering, node, name) }]
  }
  return node.type === 'method_declaration' ? looseMethod(lowering, node) : statements(lowering, [node])
}

function looseMethod(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const body = childByField(node, 'body')
  if (!body) return []
  const definition = functionFrom(lowering, node, {
    name: text(lowering, childByField(node, 'name') ?? node),
    isStatic: hasModifier(lowering, node, 'static'),
    isExported: hasModifier(lowering, node, 'public'),
    body: (inner) => statements(inner, namedChildren(body)),
  })
  return [{ at: rangeOf(node), kind: 'function', definition }]
}

function packageOf(tree: SyntaxTree, parts: readonly SyntaxNode[]): string | null {
  const declared = parts.find(({ type }) => type === 'package_declaration')
  const name = declared && namedChildren(declared).at(-1)
  return name ? textOf(tree, name).replace(/\s/g, '') : null
}

function lowerAnnotations(lowering: LoweringContext, node: SyntaxNode): Annotation[] {
  const modifiers = node.children.find(({ type }) => type === 'modifiers')
  return (modifiers ? namedChildren(modifiers) : [])
    .filter(({ type }) => type === 'annotation' || type === 'marker_annotation')
    .map((annotation) => lowerAnnotation(lowering, annotation))
}

/** Without the package, because annotations are recognized by their simple name. */
function lowerAnnotation(lowering: LoweringContext, annotation: SyntaxNode): Annotation {
  const written = text(lowering, childByField(annotation, 'name') ?? annotation)
  const args = childByField(annotation, 'arguments')
  return {
    name: written.replace(/^.*\./, ''),
    args: args ? namedChildren(args).map((part) => argumentFrom(lowering, part)) : [],
  }
}

function argumentFrom(lowering: LoweringContext, part: SyntaxNode): Argument {
  const [key, value] = [childByField(part, 'key'), childByField(part, 'value')]
  const isNamed = part.type === 'element_value_pair' && key && value
  return {
    name: isNamed ? text(lowering, key) : null,
    isSpread: false,
    value: lowering.visit.expression(lowering, isNamed ? value : part),
  }
}
