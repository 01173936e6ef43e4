// Lowers imports. A wildcard import brings only the classes known by name.

import type { StmtOf } from '../../ir.ts'
import { namedChildren, type SyntaxNode, type SyntaxTree, textOf } from '../../syntax/tree.ts'
import { classIn, withoutJakarta } from '../library-classes.ts'
import { rangeOf } from './context.ts'

export type ImportStatement = StmtOf<'import'>

export function importsOf(tree: SyntaxTree): ImportStatement[] {
  const nodes = namedChildren(tree.root).filter(({ type }) => type === 'import_declaration')
  const named = nodes.filter((node) => !isOfAll(node)).map((node) => importFrom(tree, node))
  const isNamed = new Set(named.map(({ local }) => local))
  const wide = nodes.filter(isOfAll).flatMap((node) => importsFrom(tree, node))
  return [...named, ...wide.filter(({ local }) => !isNamed.has(local))]
}

const isOfAll = (node: SyntaxNode): boolean => node.children.some(({ type }) => type === 'asterisk')

function importFrom(tree: SyntaxTree, node: SyntaxNode): ImportStatement {
  const full = pathOf(tree, node)
  const local = full.replace(/^.*\./, '')
  const module = full.slice(0, Math.max(0, full.length - local.length - 1))
  return { at: rangeOf(node), kind: 'import', module, imported: local, local }
}

function importsFrom(tree: SyntaxTree, node: SyntaxNode): ImportStatement[] {
  const module = pathOf(tree, node)
  const at = rangeOf(node)
  const known = [...namesIn(tree)].filter((name) => classIn(module, name))
  const whole: ImportStatement = { at, kind: 'import', module, imported: '*', local: '*' }
  return [
    whole,
    ...known.map((name): ImportStatement => ({ at, kind: 'import', module, imported: name, local: name })),
  ]
}

function pathOf(tree: SyntaxTree, node: SyntaxNode): string {
  const path = namedChildren(node).find(({ type }) => type !== 'asterisk')
  return path ? withoutJakarta(textOf(tree, path).replace(/\s/g, '')) : ''
}

const namesIn = ({ text }: SyntaxTree): Set<string> => new Set(text.match(/\b[A-Z]\w*/g))
