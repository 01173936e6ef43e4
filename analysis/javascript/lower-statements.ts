// Statements. An `export` is what it exports, and a note of the name under which others find it: `exports.name = …`.

import type { Case, Expr, Stmt } from '../ir.ts'
import { childOf, childrenOf, partsOf, type SyntaxNode } from '../syntax/tree.ts'
import { lowerClass, lowerFunction, typeOf } from './lower-functions.ts'
import { stringOf } from './lower-literals.ts'
import { lowerImport, lowerRequire, moduleName } from './lower-modules.ts'
import { lowerTarget } from './lower-patterns.ts'
import {
  isClassNode,
  isFunctionNode,
  type Lowering,
  literal,
  nameExpr,
  placeOf,
  sourceOf,
} from './lowering.ts'

export function lowerStatement(lowering: Lowering, node: SyntaxNode): Stmt[] {
  if (isFunctionNode(node)) {
    return [{ kind: 'function', at: placeOf(node), definition: lowerFunction(lowering, node, '') }]
  }
  if (isClassNode(node))
    return [{ kind: 'class', at: placeOf(node), definition: lowerClass(lowering, node, '') }]
  return LOWERED.get(node.type)?.(lowering, node) ?? []
}

type Lower = (lowering: Lowering, node: SyntaxNode) => Stmt[]

const LOWERED: ReadonlyMap<string, Lower> = new Map<string, Lower>([
  ['expression_statement', expression],
  ['variable_declaration', declarations],
  ['lexical_declaration', declarations],
  ['using_declaration', declarations],
  ['import_statement', lowerImport],
  ['export_statement', exported],
  ['if_statement', branch],
  ['for_statement', counted],
  ['for_in_statement', each],
  ['while_statement', repeated],
  ['do_statement', repeated],
  ['switch_statement', choice],
  ['return_statement', (lowering, node) => [leave(lowering, node, 'return')]],
  ['throw_statement', (lowering, node) => [leave(lowering, node, 'throw')]],
  ['break_statement', (_, node) => [{ kind: 'break', at: placeOf(node) }]],
  ['continue_statement', (_, node) => [{ kind: 'continue', at: placeOf(node) }]],
  ['try_statement', attempt],
  ['statement_block', block],
  ['labeled_statement', (lowering, node) => statementsOf(lowering, childOf(node, 'body'))],
  ['with_statement', (lowering, node) => statementsOf(lowering, childOf(node, 'body'))],
  ['enum_declaration', enumeration],
  ['internal_module', space],
  ['module', space],
  ['ERROR', broken],
])

function expression(lowering: Lowering, node: SyntaxNode): Stmt[] {
  const part = partsOf(node)[0]
  if (!part) return []
  if (part.type === 'internal_module') return space(lowering, part)
  const value = lowering.expression(part)
  // Nothing goes on behind it.
  if (part.type === 'call_expression' && /^process\.(?:exit|abort)\(/.test(sourceOf(lowering, part)))
    return [{ kind: 'throw', at: placeOf(node), value }]
  return [{ kind: 'expression', at: placeOf(node), value }]
}

function declarations(lowering: Lowering, node: SyntaxNode): Stmt[] {
  const isConstant = node.children.some(({ type }) => type === 'const')
  return partsOf(node)
    .filter(({ type }) => type === 'variable_declarator')
    .flatMap((each) => declaration(lowering, each, isConstant))
}

function declaration(lowering: Lowering, node: SyntaxNode, isConstant: boolean): readonly Stmt[] {
  const [name, value] = [childOf(node, 'name'), childOf(node, 'value')]
  if (!name) return []
  const required = value && lowerRequire(lowering, name, value)
  if (required) return required
  const target = lowerTarget(lowering, name)
  const known = target.kind === 'name' ? target.name : ''
  return [
    {
      kind: 'declare',
      at: placeOf(node),
      target,
      type: typeOf(lowering, childOf(node, 'type')),
      value: value ? lowering.expression(value, known) : null,
      isConstant,
    },
  ]
}

function exported(lowering: Lowering, node: SyntaxNode): Stmt[] {
  const declared = childOf(node, 'declaration')
  const isDefault = node.children.some(({ type }) => type === 'default')
  if (declared)
    return [...declaredStatements(lowering, node, declared), ...notes(lowering, declared, isDefault)]
  const value = childOf(node, 'value')
  if (value) return [note(node, 'default', lowering.expression(value, 'default'))]
  const source = childOf(node, 'source')
  const clause = partsOf(node).find(({ type }) => type === 'export_clause')
  if (clause) return partsOf(clause).flatMap((part) => specifier(lowering, part, source))
  const assigned = partsOf(node)[0]
  // `export = name`, and `export * from` which brings nothing that this file uses.
  if (source || assigned?.type !== 'identifier') return []
  return [note(node, 'default', lowering.expression(assigned))]
}

function declaredStatements(lowering: Lowering, node: SyntaxNode, declared: SyntaxNode): Stmt[] {
  if (!isClassNode(declared)) return lowerStatement(lowering, declared)
  const definition = lowerClass(lowering, declared, 'default', childrenOf(node, 'decorator'))
  return [{ kind: 'class', at: placeOf(declared), definition }]
}

function notes(lowering: Lowering, declared: SyntaxNode, isDefault: boolean): Stmt[] {
  const own = childOf(declared, 'name')
  if (isDefault) return own ? [note(declared, 'default', nameExpr(own, sourceOf(lowering, own)))] : []
  const names = own
    ? [own]
    : childrenOfType(declared, 'variable_declarator').map((each) => childOf(each, 'name'))
  return names.flatMap((name) => {
    if (!name || !/identifier$/.test(name.type)) return []
    const text = sourceOf(lowering, name)
    return [note(declared, text, nameExpr(name, text))]
  })
}

function specifier(lowering: Lowering, node: SyntaxNode, source: SyntaxNode | undefined): Stmt[] {
  const name = childOf(node, 'name')
  if (!name) return []
  const local = sourceOf(lowering, name)
  const alias = sourceOf(lowering, childOf(node, 'alias') ?? name)
  if (!source) return [note(node, alias, nameExpr(name, local))]
  const module = moduleName(stringOf(lowering, source))
  const passed = `re-exported ${alias}`
  return [
    { kind: 'import', at: placeOf(node), module, imported: local, local: passed },
    note(node, alias, nameExpr(name, passed)),
  ]
}

function note(at: SyntaxNode, name: string, value: Expr): Stmt {
  const place = placeOf(at)
  const target: Expr = { kind: 'member', at: place, object: nameExpr(at, 'exports'), property: name }
  return {
    kind: 'expression',
    at: place,
    value: { kind: 'assign', at: place, target, operator: null, value },
  }
}

function branch(lowering: Lowering, node: SyntaxNode): Stmt[] {
  const test = childOf(node, 'condition')
  if (!test) return []
  const alternative = childOf(node, 'alternative')
  const then = statementsOf(lowering, childOf(node, 'consequence'))
  const otherwise = statementsOf(lowering, alternative && partsOf(alternative)[0])
  return [{ kind: 'if', at: placeOf(node), test: lowering.expression(test), then, otherwise }]
}

function counted(lowering: Lowering, node: SyntaxNode): Stmt[] {
  const [setup, step] = [childOf(node, 'initializer'), childOf(node, 'increment')]
  const condition = childOf(node, 'condition')
  const test = condition?.type === 'expression_statement' ? partsOf(condition)[0] : condition
  return [
    loop(lowering, node, {
      setup: statementsOf(lowering, setup),
      test: test && test.type !== 'empty_statement' ? lowering.expression(test) : null,
      step: step ? [{ kind: 'expression', at: placeOf(step), value: lowering.expression(step) }] : [],
    }),
  ]
}

function repeated(lowering: Lowering, node: SyntaxNode): Stmt[] {
  const condition = childOf(node, 'condition')
  return [loop(lowering, node, { test: condition ? lowering.expression(condition) : null })]
}

function each(lowering: Lowering, node: SyntaxNode): Stmt[] {
  const [left, right] = [childOf(node, 'left'), childOf(node, 'right')]
  if (!left || !right) return []
  const target = lowerTarget(lowering, left)
  const isKeys = node.children.some(({ type }) => type === 'in')
  return [
    loop(lowering, node, {
      ...(isKeys ? { eachKey: target } : { each: target }),
      over: lowering.expression(right),
    }),
  ]
}

type Loop = Extract<Stmt, { kind: 'loop' }>

const loop = (lowering: Lowering, node: SyntaxNode, parts: Partial<Loop>): Stmt => ({
  kind: 'loop',
  at: placeOf(node),
  setup: [],
  test: null,
  step: [],
  each: null,
  eachKey: null,
  over: null,
  body: statementsOf(lowering, childOf(node, 'body')),
  ...parts,
})

function choice(lowering: Lowering, node: SyntaxNode): Stmt[] {
  const [subject, body] = [childOf(node, 'value'), childOf(node, 'body')]
  const cases = (body ? partsOf(body) : []).map((each): Case => {
    const test = each.type === 'switch_case' ? childOf(each, 'value') : undefined
    return {
      tests: test ? [lowering.expression(test)] : [],
      body: lowering.statements(childrenOf(each, 'body')),
      isClosed: false,
    }
  })
  return [
    { kind: 'switch', at: placeOf(node), subject: subject ? lowering.expression(subject) : null, cases },
  ]
}

function leave(lowering: Lowering, node: SyntaxNode, kind: 'return' | 'throw'): Stmt {
  const value = partsOf(node)[0]
  return { kind, at: placeOf(node), value: value ? lowering.expression(value) : null }
}

function attempt(lowering: Lowering, node: SyntaxNode): Stmt[] {
  const handler = childOf(node, 'handler')
  const finalizer = childOf(node, 'finalizer')
  const parameter = handler && childOf(handler, 'parameter')
  return [
    {
      kind: 'try',
      at: placeOf(node),
      body: statementsOf(lowering, childOf(node, 'body')),
      handlers: handler
        ? [
            {
              target: parameter ? lowerTarget(lowering, parameter) : null,
              body: statementsOf(lowering, childOf(handler, 'body')),
            },
          ]
        : [],
      finalizer: statementsOf(lowering, finalizer && childOf(finalizer, 'body')),
    },
  ]
}

function block(lowering: Lowering, node: SyntaxNode): Stmt[] {
  return [{ kind: 'block', at: placeOf(node), body: lowering.statements(partsOf(node)) }]
}

/** The body of a statement: a block's own statements, or the one that stands there. */
function statementsOf(lowering: Lowering, node: SyntaxNode | undefined): Stmt[] {
  if (!node) return []
  if (node.type === 'statement_block') return lowering.statements(partsOf(node))
  const isStatement = LOWERED.has(node.type) || isFunctionNode(node) || isClassNode(node)
  if (isStatement) return lowerStatement(lowering, node)
  return [{ kind: 'expression', at: placeOf(node), value: lowering.expression(node) }]
}

function enumeration(lowering: Lowering, node: SyntaxNode): Stmt[] {
  const [name, body] = [childOf(node, 'name'), childOf(node, 'body')]
  if (!name || !body) return []
  const entries = partsOf(body).map((part, index) => {
    const key = childOf(part, 'name') ?? part
    const value = childOf(part, 'value')
    const text = key.type === 'string' ? stringOf(lowering, key) : sourceOf(lowering, key)
    return { key: literal(key, text), value: value ? lowering.expression(value) : literal(part, index) }
  })
  const target = nameExpr(name, sourceOf(lowering, name))
  const value: Expr = { kind: 'map', at: placeOf(body), entries }
  return [{ kind: 'declare', at: placeOf(node), target, type: null, value, isConstant: true }]
}

/** A namespace: what it declares is visible in the file, which is close enough. */
function space(lowering: Lowering, node: SyntaxNode): Stmt[] {
  return statementsOf(lowering, childOf(node, 'body'))
}

/** What the parser stumbled over: the statements in it are worth a look. */
function broken(lowering: Lowering, node: SyntaxNode): Stmt[] {
  return lowering.statements(partsOf(node))
}

const childrenOfType = (node: SyntaxNode, type: string): SyntaxNode[] =>
  node.children.filter((child) => child.type === type)
