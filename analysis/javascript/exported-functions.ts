// Finds the functions of a file that other files can call: exported functions, methods of exported classes
// and objects, functions added to them later, and functions that an exported function returns or assigns to
// `this`.
import {
  childByField,
  childrenByField,
  namedChildren,
  type SyntaxNode,
  type SyntaxTree,
  textOf,
} from '../syntax/tree.ts'
import { isClassNode, isFunctionNode } from './lowering/context.ts'

export function exportedFunctions(tree: SyntaxTree): ReadonlySet<SyntaxNode> {
  const finding: ExportSearch = {
    tree,
    declared: new Map(),
    assigned: [],
    found: new Set(),
    seen: new Set(),
    roots: new Set(),
  }
  collectStatement(finding, tree.root)
  for (const each of finding.assigned)
    if (isExportsTarget(finding, each.target)) markExported(finding, each.value)
  // A property may be added before or after the export, and may export further names.
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const before = finding.found.size
    for (const each of finding.assigned) if (finding.roots.has(each.root)) markExported(finding, each.value)
    if (finding.found.size === before) break
  }
  return finding.found
}

const ROUNDS_MAX = 3

type ExportAssignment = { readonly root: string; readonly target: string; readonly value: SyntaxNode }

type ExportSearch = {
  readonly tree: SyntaxTree
  /** The functions, classes and objects declared under each name. */
  readonly declared: Map<string, SyntaxNode[]>
  readonly assigned: ExportAssignment[]
  readonly found: Set<SyntaxNode>
  readonly seen: Set<SyntaxNode>
  /** Exported names, and aliases of `module.exports`. */
  readonly roots: Set<string>
}

/** Declarations and assignments at the top level and in immediately invoked functions. */
function collectStatement(finding: ExportSearch, node: SyntaxNode): void {
  for (const part of namedChildren(node)) {
    if (part.type === 'export_statement') collectExport(finding, part)
    else if (isFunctionNode(part) || isClassNode(part)) declare(finding, childByField(part, 'name'), part)
    else if (part.type === 'variable_declarator')
      collectValue(finding, childByField(part, 'name'), childByField(part, 'value'))
    else if (part.type === 'assignment_expression')
      collectValue(finding, childByField(part, 'left'), childByField(part, 'right'))
    else if (part.type === 'call_expression') collectCall(finding, part)
    else if (STATEMENT_NODES.has(part.type)) collectStatement(finding, part)
  }
}

const STATEMENT_NODES = new Set([
  'expression_statement',
  'variable_declaration',
  'lexical_declaration',
  'using_declaration',
  'statement_block',
  'if_statement',
  'else_clause',
  'parenthesized_expression',
  'sequence_expression',
  'unary_expression',
  'internal_module',
  'try_statement',
])

function collectExport(finding: ExportSearch, node: SyntaxNode): void {
  collectStatement(finding, node)
  if (childByField(node, 'source')) return
  const declared = childByField(node, 'declaration')
  const value = childByField(node, 'value')
  for (const each of [declared, value]) if (each) markExported(finding, each)
  for (const part of namedChildren(node)) {
    if (part.type === 'identifier') markExported(finding, part)
    if (part.type !== 'export_clause') continue
    for (const each of namedChildren(part)) {
      const name = childByField(each, 'name')
      if (name) finding.assigned.push({ root: 'exports', target: 'exports', value: name })
    }
  }
}

function collectValue(
  finding: ExportSearch,
  target: SyntaxNode | undefined,
  value: SyntaxNode | undefined,
): void {
  const targets = target ? [target] : []
  let last = value
  // `exports = module.exports = x`: all targets export x.
  while (last?.type === 'assignment_expression') {
    const left = childByField(last, 'left')
    if (left) targets.push(left)
    last = childByField(last, 'right')
  }
  if (!last) return
  const texts = targets.map((each) => textOf(finding.tree, each))
  const isExports = texts.some((text) => EXPORTS.test(text)) || EXPORTS.test(textOf(finding.tree, last))
  for (const [index, each] of targets.entries()) {
    const text = texts[index] ?? ''
    if (each.type === 'identifier') {
      declare(finding, each, last)
      if (isExports) finding.roots.add(text)
    }
    finding.assigned.push({ root: each.type === 'identifier' ? '' : rootOf(text), target: text, value: last })
  }
  if (last.type === 'call_expression') collectCall(finding, last)
}

function collectCall(finding: ExportSearch, node: SyntaxNode): void {
  const callee = unwrap(childByField(node, 'function'))
  const args = namedChildren(childByField(node, 'arguments') ?? node)
  if (callee && isFunctionNode(callee)) {
    const body = childByField(callee, 'body')
    if (body) collectStatement(finding, body)
    // A module wrapped in a function, such as UMD, that is passed to a loader.
    for (const each of args) if (isFunctionNode(each)) markExported(finding, each)
  }
  const [target, key, value] = args
  const isDefined = callee && textOf(finding.tree, callee) === 'Object.defineProperty'
  if (isDefined && target && key && value) {
    const text = textOf(finding.tree, target)
    finding.assigned.push({ root: rootOf(text), target: text, value })
  }
}

function declare({ declared, tree }: ExportSearch, name: SyntaxNode | undefined, node: SyntaxNode): void {
  if (!name) return
  const text = textOf(tree, name)
  declared.set(text, [...(declared.get(text) ?? []), node])
}

/** Marks every function inside an exported value as exported. */
function markExported(finding: ExportSearch, node: SyntaxNode, depth = 0): void {
  if (depth > DEPTH_MAX || finding.seen.has(node)) return
  finding.seen.add(node)
  if (isFunctionNode(node)) markFunction(finding, node, depth)
  else if (isClassNode(node)) markClass(finding, node, depth)
  else if (node.type === 'identifier' || node.type === 'shorthand_property_identifier') {
    const name = textOf(finding.tree, node)
    finding.roots.add(name)
    for (const each of finding.declared.get(name) ?? []) markExported(finding, each, depth + 1)
  } else if (CONTAINER_NODES.has(node.type)) {
    for (const part of namedChildren(node)) markExported(finding, part, depth + 1)
  } else if (node.type === 'pair') {
    const value = childByField(node, 'value')
    if (value) markExported(finding, value, depth + 1)
  } else if (node.type === 'call_expression' || node.type === 'new_expression') markCall(finding, node, depth)
}

const DEPTH_MAX = 12

/** Nodes whose children are exported with them: objects, conditionals, declarations. */
const CONTAINER_NODES = new Set([
  'object',
  'array',
  'parenthesized_expression',
  'ternary_expression',
  'binary_expression',
  'lexical_declaration',
  'using_declaration',
  'variable_declaration',
  'variable_declarator',
  'as_expression',
  'satisfies_expression',
  'spread_element',
])

function markFunction(finding: ExportSearch, node: SyntaxNode, depth: number): void {
  finding.found.add(node)
  const body = childByField(node, 'body')
  if (!body) return
  if (body.type === 'statement_block') markResults(finding, body, depth, 0)
  else markExported(finding, body, depth + 1)
}

/** Marks what a function returns and what it assigns to `this`. */
function markResults(finding: ExportSearch, node: SyntaxNode, depth: number, nesting: number): void {
  if (nesting > DEPTH_MAX) return
  for (const part of namedChildren(node)) {
    if (isFunctionNode(part) || isClassNode(part)) {
      declare(finding, childByField(part, 'name'), part)
      continue
    }
    if (part.type === 'return_statement') {
      for (const value of namedChildren(part)) markExported(finding, value, depth + 1)
    } else if (part.type === 'assignment_expression') {
      const [left, right] = [childByField(part, 'left'), childByField(part, 'right')]
      if (left && right && isOpenTarget(textOf(finding.tree, left), right))
        markExported(finding, right, depth + 1)
    } else markResults(finding, part, depth, nesting + 1)
  }
}

/** Also `source.connector = new Connector()`, where the caller supplies `source`. */
const isOpenTarget = (text: string, value: SyntaxNode): boolean =>
  OPEN_TARGET.test(text) || (value.type === 'new_expression' && /^[\w$]+\.[\w$]+$/.test(text))

/** `this.find = …`, and functions that a plugin adds to its host: `md.renderer.rules.fence = …`. */
const OPEN_TARGET =
  /^(?:this|self|that)\.|\.(?:renderer|rules|prototype|helpers|filters|locals|extensions|highlight)(?:\.|\[|$)/

function markClass(finding: ExportSearch, node: SyntaxNode, depth: number): void {
  const body = childByField(node, 'body')
  for (const part of body ? namedChildren(body) : []) {
    const isPrivate = part.children.some(
      (child) =>
        (child.type === 'accessibility_modifier' && textOf(finding.tree, child) !== 'public') ||
        child.type === 'private_property_identifier',
    )
    if (isPrivate) continue
    const value = childByField(part, 'value')
    if (isFunctionNode(part)) markExported(finding, part, depth + 1)
    else if (value && isFunctionNode(value)) markExported(finding, value, depth + 1)
  }
}

function markCall(finding: ExportSearch, node: SyntaxNode, depth: number): void {
  const callee = unwrap(childByField(node, 'function') ?? childByField(node, 'constructor'))
  if (callee) markExported(finding, callee, depth + 1)
  const args = childrenByField(node, 'arguments').flatMap(namedChildren)
  for (const each of args) if (each.type !== 'call_expression') markExported(finding, each, depth + 1)
}

function unwrap(node: SyntaxNode | undefined): SyntaxNode | undefined {
  let found = node
  while (found?.type === 'parenthesized_expression') found = namedChildren(found)[0]
  return found
}

const EXPORTS = /^(?:module\.)?exports(?:\.[\w$]+)*$/

/** Plugins of jQuery and globals of a page are called by other scripts. */
const PAGE_EXPORTS = /^(?:\$|jQuery)\.fn\.[\w$]+$|^(?:window|globalThis)\.[A-Z][\w$]*$/

function isExportsTarget({ roots }: ExportSearch, text: string): boolean {
  return (
    EXPORTS.test(text) ||
    PAGE_EXPORTS.test(text) ||
    /^(?:module\.)?exports\[/.test(text) ||
    roots.has(rootOf(text))
  )
}

const rootOf = (text: string): string => /^[\w$]+/.exec(text)?.[0] ?? ''
