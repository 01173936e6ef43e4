// Lowers a Kotlin file.

import type { Annotation, Program, Stmt, StmtOf } from '../../ir.ts'
import { rangeOf } from '../../ir-builders.ts'
import { builtins, classIn, withoutJakarta } from '../../java/library-classes.ts'
import { namedChildren, type SyntaxNode, type SyntaxTree, textOf } from '../../syntax/tree.ts'
import { argumentsOf } from './calls.ts'
import { classFrom } from './classes.ts'
import { childOfType, type LoweringContext, text } from './context.ts'
import { expression } from './expressions.ts'
import { statements } from './statements.ts'
import { typeName, typeNodeOf } from './types.ts'

export function lower(tree: SyntaxTree): Program {
  const nodes = namedChildren(tree.root)
  const imports = nodes.filter(({ type }) => type === 'import').flatMap((node) => importsFrom(tree, node))
  const lowering: LoweringContext = {
    tree,
    imports: new Map([
      ...BUILTINS,
      ...imports
        .filter(({ local }) => local !== '*')
        .map(({ local, imported, module }): [string, string] => [local, `${module}.${imported}`]),
    ]),
    declaredNames: declaredNames(tree.text, imports),
    computedProperties: new Set(),
    receiver: null,
    innerClasses: [],
    visit: { expression, statements, annotations, classFrom },
  }
  const code = nodes.filter(({ type }) => !/^(?:import|package_header|file_annotation|shebang)$/.test(type))
  const body = statements(lowering, code)
  const lifted = lowering.innerClasses.map(
    (definition): Stmt => ({ at: definition.at, kind: 'class', definition }),
  )
  return { language: 'kotlin', body: [...imports, ...lifted, ...body], package: packageOf(tree, nodes) }
}

const BUILTINS = builtins()

function declaredNames(source: string, imports: readonly StmtOf<'import'>[]): ReadonlySet<string> {
  const names = new Set(imports.map(({ local }) => local))
  for (const found of source.matchAll(DECLARATIONS))
    for (const name of found.slice(1)) if (name) names.add(name)
  return names
}

/** `val x`, `val (x, y)`, `fun x(`, `fun A.x(`, `for (x`, `x: Type`, `x ->` and `x, y ->`. */
const DECLARATIONS =
  /\b(?:val|var|fun)\s+(?:<[^>\n]{0,80}>\s*)?(?:[\w<>?, ]{1,60}\.)?\(?(\w+)|\bfor\s*\(\(?\s*(\w+)|\b(\w+)\s*(?::|->|,(?=\s*\w+\s*(?:->|\))))/g

type ImportStatement = StmtOf<'import'> & Stmt

function importsFrom(tree: SyntaxTree, node: SyntaxNode): ImportStatement[] {
  const [path, alias] = namedChildren(node)
  if (!path) return []
  const at = rangeOf(node)
  const full = withoutJakarta(textOf(tree, path).replace(/[\s`]/g, ''))
  if (/\*\s*$/.test(textOf(tree, node))) return wildcard(tree, at, full)
  const imported = full.replace(/^.*\./, '')
  const module = full.slice(0, Math.max(0, full.length - imported.length - 1))
  return [{ at, kind: 'import', module, imported, local: alias ? textOf(tree, alias) : imported }]
}

/** Brings the library classes that the file names. */
function wildcard(tree: SyntaxTree, at: Stmt['at'], module: string): ImportStatement[] {
  const known = [...new Set(tree.text.match(/\b[A-Z]\w*/g))].filter((name) => classIn(module, name))
  return [
    { at, kind: 'import', module, imported: '*', local: '*' },
    ...known.map((name): ImportStatement => ({ at, kind: 'import', module, imported: name, local: name })),
  ]
}

function packageOf(tree: SyntaxTree, nodes: readonly SyntaxNode[]): string | null {
  const header = nodes.find(({ type }) => type === 'package_header')
  const name = header && namedChildren(header)[0]
  return name ? textOf(tree, name).replace(/[\s`]/g, '') : null
}

/** By their simple name, because annotations are recognized by it. */
function annotations(lowering: LoweringContext, node: SyntaxNode): Annotation[] {
  const modifiers = childOfType(node, 'modifiers')
  return (modifiers ? namedChildren(modifiers) : [])
    .filter(({ type }) => type === 'annotation')
    .map((annotation) => {
      const called = childOfType(annotation, 'constructor_invocation') ?? annotation
      const name = typeName(lowering, typeNodeOf(called)) ?? text(lowering, annotation)
      return {
        name: name.replace(/^.*\./, ''),
        args: argumentsOf(lowering, childOfType(called, 'value_arguments')),
      }
    })
}
