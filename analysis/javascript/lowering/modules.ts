// Lowers imports, `require` and the helpers that compilers emit for them.

import type { Expr, Stmt } from '../../ir.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { type LoweringContext, nameExpr, rangeOf, sourceOf } from './context.ts'
import { stringOf } from './literals.ts'

export function lowerImport(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const required = namedChildren(node).find(({ type }) => type === 'import_require_clause')
  const source = childByField(required ?? node, 'source')
  const clause = required ?? namedChildren(node).find(({ type }) => type === 'import_clause')
  if (!source || !clause || node.children.some(({ type }) => type === 'type')) return []
  const module = moduleName(stringOf(lowering, source))
  return namedChildren(clause).flatMap((part) => {
    switch (part.type) {
      case 'identifier':
        return required ? [whole(lowering, part, module)] : [byDefault(lowering, part, module)]
      case 'namespace_import':
        return namedChildren(part).map((name) => whole(lowering, name, module))
      case 'named_imports':
        return namedChildren(part).flatMap((each) => named(lowering, each, module))
      default:
        return []
    }
  })
}

/** `const x = require('m')` and `const { a: b } = require('m').c`. Undefined for other forms. */
export function lowerRequire(
  lowering: LoweringContext,
  target: SyntaxNode,
  value: SyntaxNode,
): readonly Stmt[] | undefined {
  const module = requiredModule(lowering, value)
  if (module === undefined) return undefined
  if (target.type === 'identifier') return [whole(lowering, target, module)]
  if (target.type !== 'object_pattern') return undefined
  const found: Stmt[] = []
  for (const part of namedChildren(target)) {
    const imported = childByField(part, 'key') ?? part
    const local = childByField(part, 'value') ?? part
    const isPlain = local.type === 'identifier' || local.type === 'shorthand_property_identifier_pattern'
    if (!isPlain) return undefined
    found.push(statement(local, module, sourceOf(lowering, imported), sourceOf(lowering, local)))
  }
  return found
}

/** A `require` inside an expression becomes a top-level import with a generated name. */
export function requireExpr(lowering: LoweringContext, node: SyntaxNode): Expr | undefined {
  const module = requiredModule(lowering, node)
  if (module === undefined) return undefined
  const local = `require ${module}`
  lowering.required.set(module, local)
  lowering.modules.add(local)
  return nameExpr(node, local)
}

export const requiredImports = ({ required, tree }: LoweringContext): Stmt[] =>
  [...required].map(([module, local]) => statement({ ...tree.root, end: 0, endLine: 1 }, module, null, local))

/** Removes the prefix of built-in modules: `node:fs` is `fs`. */
export const moduleName = (text: string): string => text.replace(/^node:/, '')

function requiredModule(lowering: LoweringContext, node: SyntaxNode): string | undefined {
  if (node.type === 'await_expression' || node.type === 'parenthesized_expression') {
    const inner = namedChildren(node)[0]
    return inner && requiredModule(lowering, inner)
  }
  if (node.type !== 'call_expression') return undefined
  const callee = childByField(node, 'function')
  const first = namedChildren(childByField(node, 'arguments') ?? node)[0]
  if (!callee || !first) return undefined
  const name = sourceOf(lowering, callee)
  if (INTEROP.test(name)) return requiredModule(lowering, first)
  const isRequire = name === 'require' || callee.type === 'import'
  return isRequire && first.type === 'string' ? moduleName(stringOf(lowering, first)) : undefined
}

const INTEROP =
  /^(?:tslib(?:_\d+)?\.)?(?:_+interopRequire(?:Default|Wildcard)\w*|__importDefault|__importStar|__toESM)$/

function whole(lowering: LoweringContext, local: SyntaxNode, module: string): Stmt {
  lowering.modules.add(sourceOf(lowering, local))
  return statement(local, module, null, sourceOf(lowering, local))
}

/** The default export of most packages is the package itself. Files of the project export it as `default`. */
function byDefault(lowering: LoweringContext, local: SyntaxNode, module: string): Stmt {
  if (!/^[./]/.test(module)) return whole(lowering, local, module)
  return statement(local, module, 'default', sourceOf(lowering, local))
}

function named(lowering: LoweringContext, node: SyntaxNode, module: string): Stmt[] {
  const name = childByField(node, 'name')
  if (!name || node.children.some(({ type }) => type === 'type')) return []
  const local = childByField(node, 'alias') ?? name
  const imported = name.type === 'string' ? stringOf(lowering, name) : sourceOf(lowering, name)
  if (imported === 'default') return [byDefault(lowering, local, module)]
  return [statement(local, module, imported, sourceOf(lowering, local))]
}

const statement = (at: SyntaxNode, module: string, imported: string | null, local: string): Stmt => ({
  kind: 'import',
  at: rangeOf(at),
  module,
  imported,
  local,
})
