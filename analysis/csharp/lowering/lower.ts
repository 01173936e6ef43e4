// Lowers a C# file.

import type { Annotation, Program, Stmt } from '../../ir.ts'
import { rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode, type SyntaxTree } from '../../syntax/tree.ts'
import { classFrom, isClass } from './classes.ts'
import { childOfType, type LoweringContext, text } from './context.ts'
import { expression } from './expressions.ts'
import { functionFrom } from './functions.ts'
import { statements } from './statements.ts'
import { typeName } from './types.ts'

export function lower(tree: SyntaxTree): Program {
  const lowering: LoweringContext = {
    tree,
    patternVariables: [],
    innerClasses: [],
    computedProperties: new Set(),
    visit: { expression, statements, annotations },
  }
  const body = namedChildren(tree.root).flatMap((node) => topLevel(lowering, node))
  const lifted = lowering.innerClasses.map(
    (definition): Stmt => ({ at: definition.at, kind: 'class', definition }),
  )
  return { language: 'csharp', body: [...lifted, ...body], package: null }
}

function topLevel(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const at = rangeOf(node)
  if (isClass(node)) return [{ at, kind: 'class', definition: classFrom(lowering, node) }]
  switch (node.type) {
    case 'namespace_declaration':
      return parts(lowering, childByField(node, 'body'))
    case 'declaration_list':
      return parts(lowering, node)
    case 'file_scoped_namespace_declaration':
      return namedChildren(node)
        .filter(({ field }) => field !== 'name')
        .flatMap((part) => topLevel(lowering, part))
    case 'using_directive':
      return [importFrom(lowering, node)]
    case 'global_attribute':
    case 'delegate_declaration':
    case 'extern_alias_directive':
      return []
    // A fragment of a file may have methods without a class.
    case 'method_declaration':
      return [{ at, kind: 'function', definition: looseMethod(lowering, node) }]
    case 'preproc_if':
    case 'preproc_elif':
    case 'preproc_else':
      return namedChildren(node).some((part) => isClass(part) || /^(?:namespace|using)_/.test(part.type))
        ? namedChildren(node)
            .filter(({ field }) => field !== 'condition')
            .flatMap((part) => topLevel(lowering, part))
        : statements(lowering, [node])
    default:
      return statements(lowering, [node])
  }
}

const parts = (lowering: LoweringContext, node: SyntaxNode | undefined): Stmt[] =>
  node ? namedChildren(node).flatMap((part) => topLevel(lowering, part)) : []

const looseMethod = (lowering: LoweringContext, node: SyntaxNode) =>
  functionFrom(lowering, node, { name: text(lowering, childByField(node, 'name') ?? node), isExported: true })

/** All names of a namespace, or an alias: `using Json = Newtonsoft.Json`. */
function importFrom(lowering: LoweringContext, node: SyntaxNode): Stmt {
  const at = rangeOf(node)
  const alias = childByField(node, 'name')
  const module = namedChildren(node).findLast((part) => part !== alias)
  if (alias && module)
    return {
      at,
      kind: 'import',
      module: text(lowering, module),
      imported: null,
      local: text(lowering, alias),
    }
  return { at, kind: 'import', module: module ? text(lowering, module) : '', imported: '*', local: '*' }
}

function annotations(lowering: LoweringContext, node: SyntaxNode): Annotation[] {
  return node.children
    .filter(({ type }) => type === 'attribute_list')
    .flatMap((list) => namedChildren(list).filter(({ type }) => type === 'attribute'))
    .map((attribute) => {
      const list = childOfType(attribute, 'attribute_argument_list')
      const given = list ? namedChildren(list) : []
      return {
        name: (typeName(lowering, childByField(attribute, 'name')) ?? '').replace(/(?<=.)Attribute$/, ''),
        args: given.map((part) => {
          const name = childByField(part, 'name')
          const value = namedChildren(part).findLast((each) => each !== name) ?? part
          return {
            name: name ? text(lowering, name) : null,
            isSpread: false,
            value: expression(lowering, value),
          }
        }),
      }
    })
}
