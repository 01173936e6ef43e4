// A Go file as the program that the engine reads.

import type { ClassDefinition, Field, FunctionDefinition, Program, Stmt } from '../ir.ts'
import { placeOf } from '../ir-builders.ts'
import { childOf, childrenOf, partsOf, type SyntaxNode, type SyntaxTree } from '../syntax/tree.ts'
import { expressionOf } from './lower-expression.ts'
import { functionOf, receiverType } from './lower-function.ts'
import { statementsOf } from './lower-statement.ts'
import { type Reading, sourceOf, stringValue } from './reading.ts'

export function lower(tree: SyntaxTree): Program {
  const reading: Reading = {
    tree,
    expression: (node) => expressionOf(reading, node),
    statements: (node) => statementsOf(reading, node),
  }
  const parts = partsOf(tree.root)
  const name = packageOf(reading, parts)
  // Nobody can import a main package: its capital letters promise nothing.
  const isOpen = name !== 'main'
  return {
    language: 'go',
    package: name,
    body: [
      ...partsNamed(parts, 'import_declaration').flatMap((part) => importsOf(reading, part)),
      ...classesOf(reading, parts, isOpen),
      ...partsNamed(parts, 'function_declaration').map((part) => topFunction(reading, part, isOpen)),
      ...parts.filter(({ type }) => VALUES.has(type)).flatMap((part) => valuesOf(reading, tree.root, part)),
    ],
  }
}

const VALUES = new Set(['var_declaration', 'const_declaration'])

const partsNamed = (parts: readonly SyntaxNode[], name: string): SyntaxNode[] =>
  parts.filter(({ type }) => type === name)

function packageOf(reading: Reading, parts: readonly SyntaxNode[]): string | null {
  const [clause] = partsNamed(parts, 'package_clause')
  const [name] = clause ? partsOf(clause) : []
  return name ? sourceOf(reading, name) : null
}

function topFunction(reading: Reading, node: SyntaxNode, isOpen: boolean): Stmt {
  return { kind: 'function', at: placeOf(node), definition: functionOf(reading, node, isOpen) }
}

/** The front end for blocks does it: declarations are the same at the top of a file. */
function valuesOf(reading: Reading, root: SyntaxNode, part: SyntaxNode): Stmt[] {
  return reading.statements({ ...root, children: [part] })
}

function importsOf(reading: Reading, node: SyntaxNode): Stmt[] {
  if (node.type !== 'import_spec') return partsOf(node).flatMap((part) => importsOf(reading, part))
  const [path, alias] = [childOf(node, 'path'), childOf(node, 'name')]
  if (!path) return []
  const module = stringValue(sourceOf(reading, path))
  return [
    {
      kind: 'import',
      at: placeOf(node),
      module,
      imported: null,
      local: alias ? sourceOf(reading, alias) : packageName(module),
    },
  ]
}

/** What a package is called is not always the end of its path: `/v2` and `go-` are left out by custom. */
function packageName(module: string): string {
  const parts = module.split('/').filter((part) => !/^v\d+$/.test(part))
  return (parts.at(-1) ?? module).replace(/\.v\d+$/, '').replace(/^go-|[-.]go$/g, '')
}

/** Methods stand anywhere in a package; those of a file are gathered under the type they belong to. */
function classesOf(reading: Reading, parts: readonly SyntaxNode[], isOpen: boolean): Stmt[] {
  const classes = new Map<
    string,
    { node: SyntaxNode; fields: Field[]; methods: FunctionDefinition[]; bases: string[] }
  >()
  const entry = (name: string, node: SyntaxNode) => {
    const made = classes.get(name) ?? { node, fields: [], methods: [], bases: [] }
    classes.set(name, made)
    return made
  }
  for (const spec of partsNamed(parts, 'type_declaration').flatMap(partsOf)) {
    const [name, type] = [childOf(spec, 'name'), childOf(spec, 'type')]
    if (!name || type?.type !== 'struct_type') continue
    const made = entry(sourceOf(reading, name), spec)
    made.fields.push(...fieldsOf(reading, type))
    made.bases.push(...basesOf(reading, type))
  }
  for (const method of partsNamed(parts, 'method_declaration'))
    entry(receiverType(reading, method), method).methods.push(functionOf(reading, method, isOpen))
  return [...classes].map(([name, { node, ...rest }]): Stmt => {
    const definition: ClassDefinition = { at: placeOf(node), name, marks: [], ...rest }
    return { kind: 'class', at: placeOf(node), definition }
  })
}

const declarationsOf = (struct: SyntaxNode): SyntaxNode[] =>
  partsOf(struct)
    .flatMap(partsOf)
    .filter(({ type }) => type === 'field_declaration')

function fieldsOf(reading: Reading, struct: SyntaxNode): Field[] {
  return declarationsOf(struct).flatMap((node) => {
    const [type, tag] = [childOf(node, 'type'), childOf(node, 'tag')]
    const marks = tag ? [{ name: stringValue(sourceOf(reading, tag)), args: [] }] : []
    return childrenOf(node, 'name')
      .filter(({ isNamed }) => isNamed)
      .map((name) => ({
        at: placeOf(name),
        name: sourceOf(reading, name),
        type: type ? sourceOf(reading, type) : null,
        value: null,
        isStatic: false,
        marks,
      }))
  })
}

/** A type without a name of its own in a struct lends it its methods. */
function basesOf(reading: Reading, struct: SyntaxNode): string[] {
  return declarationsOf(struct)
    .filter((node) => !childOf(node, 'name'))
    .flatMap((node) => childOf(node, 'type') ?? [])
    .map((type) => sourceOf(reading, type).replace(/^\*/, ''))
}
