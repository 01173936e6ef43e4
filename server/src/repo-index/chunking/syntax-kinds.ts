// Classifies syntax nodes of all languages. The same node name rarely has different meanings in two grammars.
import {
  childByField,
  type LevelsBelow,
  type SyntaxNode,
  type SyntaxTree,
  textOf,
} from '@cowrie/analysis/syntax/tree.ts'
import type { ChunkKind } from './chunk.ts'

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '))

const FUNCTIONS = set(
  'function_declaration generator_function_declaration function_definition function_signature method_definition method_declaration ' +
    'constructor_declaration compact_constructor_declaration destructor_declaration local_function_statement operator_declaration ' +
    'function_item function_signature_item macro_definition method singleton_method init_declaration deinit_declaration ' +
    'subscript_declaration secondary_constructor anonymous_initializer abstract_method_signature method_signature ' +
    'protocol_function_declaration preproc_function_def arrow_function function_expression function generator_function ' +
    'func_literal indexer_declaration conversion_operator_declaration anonymous_function given_definition',
)
const CONTAINERS = set(
  'class_declaration abstract_class_declaration class class_definition interface_declaration trait_declaration trait_item impl_item ' +
    'object_declaration companion_object object_definition trait_definition enum_declaration struct_declaration record_declaration ' +
    'class_specifier struct_specifier union_specifier protocol_declaration extension_declaration singleton_class enum_definition ' +
    'extension_definition',
)
/** Namespaces: their members are units of the file, with the name as scope. */
const NAMESPACES = set(
  'namespace_definition namespace_declaration file_scoped_namespace_declaration internal_module mod_item module package_object ' +
    'linkage_specification preproc_ifdef preproc_if preproc_else',
)
const TYPES = set(
  'type_alias_declaration type_declaration type_item struct_item enum_item union_item type_definition type_alias ' +
    'enum_specifier typealias_declaration delegate_declaration',
)
const IMPORTS = set(
  'import_statement import_declaration import_from_statement future_import_statement package_clause package_declaration ' +
    'namespace_use_declaration preproc_include use_declaration extern_crate_declaration using_directive import_list import_header ' +
    'package_header php_tag package_identifier using_declaration import module_declaration global_module_fragment_declaration',
)
/** Nodes that wrap the definition that names them. */
const WRAPPERS = set(
  'export_statement decorated_definition template_declaration lexical_declaration variable_declaration variable_declarator ' +
    'expression_statement assignment_expression assignment ambient_declaration declaration public_field_definition field_definition ' +
    'pair const_declaration var_declaration var_spec_list const_item static_item declaration_statement export_declaration',
)
const WRAPPER_DEPTH_MAX = 4

/** A smaller node is never split, so only its first levels matter: they hold its name. */
const SPLIT_CHARACTERS_MIN = 600

/** How many further levels of a syntax tree to read below a node. Reading all of it takes longer than parsing. */
export const levelsBelow: LevelsBelow = (type, characters, levels) => {
  if (CONTAINERS.has(type) || NAMESPACES.has(type)) return 5
  if (FUNCTIONS.has(type)) return 1
  if (WRAPPERS.has(type) || type.includes('declarator')) return Math.max(levels, 2)
  return characters > SPLIT_CHARACTERS_MIN ? Math.max(levels, 1) : levels
}

export const isNamespace = ({ type }: SyntaxNode): boolean => NAMESPACES.has(type)
export const isContainer = ({ type }: SyntaxNode): boolean => CONTAINERS.has(type)
export const isImport = ({ type }: SyntaxNode): boolean => IMPORTS.has(type)
export const isComment = ({ type }: SyntaxNode): boolean => type.includes('comment')
/** A string as a statement: a Python docstring. */
export const isDocstring = ({ type, children }: SyntaxNode): boolean =>
  type === 'expression_statement' && children.length === 1 && children[0]?.type === 'string'
/** Comments, decorators and attributes, which belong to the next definition. */
export const isPrefix = (node: SyntaxNode): boolean =>
  isComment(node) || ['decorator', 'attribute_item', 'annotation', 'attribute_list'].includes(node.type)

export type Definition = { readonly node: SyntaxNode; readonly kind: ChunkKind; readonly symbol: string }

/** The kind and name of the definition in a node, without its wrappers. */
export function describeNode(tree: SyntaxTree, node: SyntaxNode): Definition {
  const inner = unwrap(node, WRAPPER_DEPTH_MAX) ?? node
  const symbol = nameOf(tree, inner) || (inner === node ? '' : nameOf(tree, node))
  return { node: inner, kind: kindOf(inner), symbol: symbol || nameInside(tree, node) }
}

function kindOf(node: SyntaxNode): ChunkKind {
  if (FUNCTIONS.has(node.type)) return 'function'
  if (CONTAINERS.has(node.type) || NAMESPACES.has(node.type)) return 'class'
  return TYPES.has(node.type) ? 'type' : 'code'
}

function unwrap(node: SyntaxNode, depthLeft: number): SyntaxNode | undefined {
  if (kindOf(node) !== 'code') return node
  if (!WRAPPERS.has(node.type) || depthLeft === 0) return undefined
  for (const child of node.children) {
    const found = child.isNamed ? unwrap(child, depthLeft - 1) : undefined
    if (found) return found
  }
  return undefined
}

const NAME_CHARACTERS_MAX = 80
const NAME_DEPTH_MAX = 5

function nameOf(tree: SyntaxTree, node: SyntaxNode): string {
  // An `impl` block has no name, only the type that it implements.
  const named = childByField(node, 'name') ?? deepest(node, 'declarator') ?? childByField(node, 'type')
  if (named && named.end - named.start <= NAME_CHARACTERS_MAX) return textOf(tree, named)
  const plain = node.children.find(({ type }) =>
    /^(simple_identifier|type_identifier|identifier|constant)$/.test(type),
  )
  return plain ? textOf(tree, plain) : ''
}

/** In C, nested declarators contain the name of a function. */
function deepest(node: SyntaxNode, field: string): SyntaxNode | undefined {
  let found = childByField(node, field)
  for (let depth = 0; found && depth < NAME_DEPTH_MAX; depth++) {
    const next = childByField(found, field)
    if (!next) return found
    found = next
  }
  return found
}

/** The first name on the left side: `module.exports.parse = …`, `const limits = …`. */
function nameInside(tree: SyntaxTree, node: SyntaxNode): string {
  let at: SyntaxNode | undefined = node
  for (let depth = 0; at && depth < NAME_DEPTH_MAX; depth++) {
    const left: SyntaxNode | undefined =
      childByField(at, 'left') ?? childByField(at, 'name') ?? childByField(at, 'pattern') ?? plainVariable(at)
    if (left) {
      const text = textOf(tree, left)
      return text.length <= NAME_CHARACTERS_MAX && /^[\w.$@:]+$/.test(text) ? text : ''
    }
    at = at.children.find(
      (child) => child.isNamed && (WRAPPERS.has(child.type) || childByField(child, 'name') !== undefined),
    )
  }
  return ''
}

/** Kotlin names a property by the only identifier in its `variable_declaration`. */
const plainVariable = ({ type, children }: SyntaxNode): SyntaxNode | undefined =>
  type === 'variable_declaration' ? children.find((child) => child.type === 'identifier') : undefined

const BODY =
  /(^block$|_block$|body|_list$|^template_body$|^object_type$|^field_declaration_list$|^compound_statement$)/
const NO_BODY = /(parameter|argument|modifier|heritage|superclass|interfaces|base|initializer)/

/** The body of a definition. */
export function bodyOf(node: SyntaxNode): SyntaxNode | undefined {
  return (
    childByField(node, 'body') ??
    node.children.findLast(({ isNamed, type }) => isNamed && BODY.test(type) && !NO_BODY.test(type))
  )
}
