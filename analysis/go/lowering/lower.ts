// Lowers a Go file.

import type { ClassDefinition, Field, FunctionDefinition, Program, Stmt } from '../../ir.ts'
import { rangeOf } from '../../ir-builders.ts'
import {
  childByField,
  childrenByField,
  namedChildren,
  type SyntaxNode,
  type SyntaxTree,
} from '../../syntax/tree.ts'
import { type LoweringContext, sourceOf, stringValue } from './context.ts'
import { expressionOf } from './expressions.ts'
import { functionOf, receiverType } from './functions.ts'
import { statementsOf } from './statements.ts'

export function lower(tree: SyntaxTree): Program {
  const lowering: LoweringContext = {
    tree,
    expression: (node) => expressionOf(lowering, node),
    statements: (node) => statementsOf(lowering, node),
  }
  const parts = namedChildren(tree.root)
  const name = packageOf(lowering, parts)
  // A main package cannot be imported, so its capitalized names are not exported.
  const isOpen = name !== 'main'
  return {
    language: 'go',
    package: name,
    body: [
      ...partsNamed(parts, 'import_declaration').flatMap((part) => importsOf(lowering, part)),
      ...classesOf(lowering, parts, isOpen),
      ...partsNamed(parts, 'function_declaration').map((part) => topFunction(lowering, part, isOpen)),
      ...parts.filter(({ type }) => VALUES.has(type)).flatMap((part) => valuesOf(lowering, tree.root, part)),
    ],
  }
}

const VALUES = new Set(['var_declaration', 'const_declaration'])

const partsNamed = (parts: readonly SyntaxNode[], name: string): SyntaxNode[] =>
  parts.filter(({ type }) => type === name)

function packageOf(lowering: LoweringContext, parts: readonly SyntaxNode[]): string | null {
  const [clause] = partsNamed(parts, 'package_clause')
  const [name] = clause ? namedChildren(clause) : []
  return name ? sourceOf(lowering, name) : null
}

function topFunction(lowering: LoweringContext, node: SyntaxNode, isOpen: boolean): Stmt {
  return { kind: 'function', at: rangeOf(node), definition: functionOf(lowering, node, isOpen) }
}

/** Top-level declarations are lowered like those in a block. */
function valuesOf(lowering: LoweringContext, root: SyntaxNode, part: SyntaxNode): Stmt[] {
  return lowering.statements({ ...root, children: [part] })
}

function importsOf(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  if (node.type !== 'import_spec') return namedChildren(node).flatMap((part) => importsOf(lowering, part))
  const [path, alias] = [childByField(node, 'path'), childByField(node, 'name')]
  if (!path) return []
  const module = stringValue(sourceOf(lowering, path))
  return [
    {
      kind: 'import',
      at: rangeOf(node),
      module,
      imported: null,
      local: alias ? sourceOf(lowering, alias) : packageName(module),
    },
  ]
}

/** The conventional package name: without `/v2` and `go-`. */
function packageName(module: string): string {
  const parts = module.split('/').filter((part) => !/^v\d+$/.test(part))
  return (parts.at(-1) ?? module).replace(/\.v\d+$/, '').replace(/^go-|[-.]go$/g, '')
}

/** Methods can be anywhere in a package. Those of a file are grouped by their type. */
function classesOf(lowering: LoweringContext, parts: readonly SyntaxNode[], isOpen: boolean): Stmt[] {
  const classes = new Map<
    string,
    { node: SyntaxNode; fields: Field[]; methods: FunctionDefinition[]; bases: string[] }
  >()
  const entry = (name: string, node: SyntaxNode) => {
    const made = classes.get(name) ?? { node, fields: [], methods: [], bases: [] }
    classes.set(name, made)
    return made
  }
  for (const spec of partsNamed(parts, 'type_declaration').flatMap(namedChildren)) {
    const [name, type] = [childByField(spec, 'name'), childByField(spec, 'type')]
    if (!name || type?.type !== 'struct_type') continue
    const made = entry(sourceOf(lowering, name), spec)
    made.fields.push(...fieldsOf(lowering, type))
    made.bases.push(...basesOf(lowering, type))
  }
  for (const method of partsNamed(parts, 'method_declaration'))
    entry(receiverType(lowering, method), method).methods.push(functionOf(lowering, method, isOpen))
  return [...classes].map(([name, { node, ...rest }]): Stmt => {
    const definition: ClassDefinition = { at: rangeOf(node), name, annotations: [], ...rest }
    return { kind: 'class', at: rangeOf(node), definition }
  })
}

const declarationsOf = (struct: SyntaxNode): SyntaxNode[] =>
  namedChildren(struct)
    .flatMap(namedChildren)
    .filter(({ type }) => type === 'field_declaration')

function fieldsOf(lowering: LoweringContext, struct: SyntaxNode): Field[] {
  return declarationsOf(struct).flatMap((node) => {
    const [type, tag] = [childByField(node, 'type'), childByField(node, 'tag')]
    const annotations = tag ? [{ name: stringValue(sourceOf(lowering, tag)), args: [] }] : []
    return childrenByField(node, 'name')
      .filter(({ isNamed }) => isNamed)
      .map((name) => ({
        at: rangeOf(name),
        name: sourceOf(lowering, name),
        type: type ? sourceOf(lowering, type) : null,
        value: null,
        isStatic: false,
        annotations,
      }))
  })
}

/** An embedded type acts as a base. */
function basesOf(lowering: LoweringContext, struct: SyntaxNode): string[] {
  return declarationsOf(struct)
    .filter((node) => !childByField(node, 'name'))
    .flatMap((node) => childByField(node, 'type') ?? [])
    .map((type) => sourceOf(lowering, type).replace(/^\*/, ''))
}
