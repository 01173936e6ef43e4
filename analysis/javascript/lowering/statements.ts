// Lowers statements. An `export` becomes its declaration plus an assignment to `exports.name`.

import type { Case, Expr, Stmt } from '../../ir.ts'
import { childByField, childrenByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import {
  isClassNode,
  isFunctionNode,
  type LoweringContext,
  literal,
  nameExpr,
  rangeOf,
  sourceOf,
} from './context.ts'
import { lowerClass, lowerFunction, typeOf } from './functions.ts'
import { stringOf } from './literals.ts'
import { lowerImport, lowerRequire, moduleName } from './modules.ts'
import { lowerTarget } from './patterns.ts'

export function lowerStatement(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  if (isFunctionNode(node)) {
    return [{ kind: 'function', at: rangeOf(node), definition: lowerFunction(lowering, node, '') }]
  }
  if (isClassNode(node))
    return [{ kind: 'class', at: rangeOf(node), definition: lowerClass(lowering, node, '') }]
  return LOWERINGS.get(node.type)?.(lowering, node) ?? []
}

type Lower = (lowering: LoweringContext, node: SyntaxNode) => Stmt[]

const LOWERINGS: ReadonlyMap<string, Lower> = new Map<string, Lower>([
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
  ['break_statement', (_, node) => [{ kind: 'break', at: rangeOf(node) }]],
  ['continue_statement', (_, node) => [{ kind: 'continue', at: rangeOf(node) }]],
  ['try_statement', attempt],
  ['statement_block', block],
  ['labeled_statement', (lowering, node) => statementsOf(lowering, childByField(node, 'body'))],
  ['with_statement', (lowering, node) => statementsOf(lowering, childByField(node, 'body'))],
  ['enum_declaration', enumeration],
  ['internal_module', space],
  ['module', space],
  ['ERROR', broken],
])

function expression(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const part = namedChildren(node)[0]
  if (!part) return []
  if (part.type === 'internal_module') return space(lowering, part)
  const value = lowering.expression(part)
  // Execution stops here.
  if (part.type === 'call_expression' && /^process\.(?:exit|abort)\(/.test(sourceOf(lowering, part)))
    return [{ kind: 'throw', at: rangeOf(node), value }]
  return [{ kind: 'expression', at: rangeOf(node), value }]
}

function declarations(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const isConstant = node.children.some(({ type }) => type === 'const')
  return namedChildren(node)
    .filter(({ type }) => type === 'variable_declarator')
    .flatMap((each) => declaration(lowering, each, isConstant))
}

function declaration(lowering: LoweringContext, node: SyntaxNode, isConstant: boolean): readonly Stmt[] {
  const [name, value] = [childByField(node, 'name'), childByField(node, 'value')]
  if (!name) return []
  const required = value && lowerRequire(lowering, name, value)
  if (required) return required
  const target = lowerTarget(lowering, name)
  const known = target.kind === 'name' ? target.name : ''
  return [
    {
      kind: 'declare',
      at: rangeOf(node),
      target,
      type: typeOf(lowering, childByField(node, 'type')),
      value: value ? lowering.expression(value, known) : null,
      isConstant,
    },
  ]
}

function exported(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const declared = childByField(node, 'declaration')
  const isDefault = node.children.some(({ type }) => type === 'default')
  if (declared)
    return [...declaredStatements(lowering, node, declared), ...notes(lowering, declared, isDefault)]
  const value = childByField(node, 'value')
  if (value) return [note(node, 'default', lowering.expression(value, 'default'))]
  const source = childByField(node, 'source')
  const clause = namedChildren(node).find(({ type }) => type === 'export_clause')
  if (clause) return namedChildren(clause).flatMap((part) => specifier(lowering, part, source))
  const assigned = namedChildren(node)[0]
  // `export = name`. `export * from` adds nothing that this file uses.
  if (source || assigned?.type !== 'identifier') return []
  return [note(node, 'default', lowering.expression(assigned))]
}

function declaredStatements(lowering: LoweringContext, node: SyntaxNode, declared: SyntaxNode): Stmt[] {
  if (!isClassNode(declared)) return lowerStatement(lowering, declared)
  const definition = lowerClass(lowering, declared, 'default', childrenByField(node, 'decorator'))
  return [{ kind: 'class', at: rangeOf(declared), definition }]
}

function notes(lowering: LoweringContext, declared: SyntaxNode, isDefault: boolean): Stmt[] {
  const own = childByField(declared, 'name')
  if (isDefault) return own ? [note(declared, 'default', nameExpr(own, sourceOf(lowering, own)))] : []
  const names = own
    ? [own]
    : childrenOfType(declared, 'variable_declarator').map((each) => childByField(each, 'name'))
  return names.flatMap((name) => {
    if (!name || !/identifier$/.test(name.type)) return []
    const text = sourceOf(lowering, name)
    return [note(declared, text, nameExpr(name, text))]
  })
}

function specifier(lowering: LoweringContext, node: SyntaxNode, source: SyntaxNode | undefined): Stmt[] {
  const name = childByField(node, 'name')
  if (!name) return []
  const local = sourceOf(lowering, name)
  const alias = sourceOf(lowering, childByField(node, 'alias') ?? name)
  if (!source) return [note(node, alias, nameExpr(name, local))]
  const module = moduleName(stringOf(lowering, source))
  const passed = `re-exported ${alias}`
  return [
    { kind: 'import', at: rangeOf(node), module, imported: local, local: passed },
    note(node, alias, nameExpr(name, passed)),
  ]
}

function note(at: SyntaxNode, name: string, value: Expr): Stmt {
  const place = rangeOf(at)
  const target: Expr = { kind: 'member', at: place, object: nameExpr(at, 'exports'), property: name }
  return {
    kind: 'expression',
    at: place,
    value: { kind: 'assign', at: place, target, operator: null, value },
  }
}

function branch(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const test = childByField(node, 'condition')
  if (!test) return []
  const alternative = childByField(node, 'alternative')
  const then = statementsOf(lowering, childByField(node, 'consequence'))
  const otherwise = statementsOf(lowering, alternative && namedChildren(alternative)[0])
  return [{ kind: 'if', at: rangeOf(node), test: lowering.expression(test), then, otherwise }]
}

function counted(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [setup, step] = [childByField(node, 'initializer'), childByField(node, 'increment')]
  const condition = childByField(node, 'condition')
  const test = condition?.type === 'expression_statement' ? namedChildren(condition)[0] : condition
  return [
    loop(lowering, node, {
      setup: statementsOf(lowering, setup),
      test: test && test.type !== 'empty_statement' ? lowering.expression(test) : null,
      step: step ? [{ kind: 'expression', at: rangeOf(step), value: lowering.expression(step) }] : [],
    }),
  ]
}

function repeated(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const condition = childByField(node, 'condition')
  return [loop(lowering, node, { test: condition ? lowering.expression(condition) : null })]
}

function each(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [left, right] = [childByField(node, 'left'), childByField(node, 'right')]
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

const loop = (lowering: LoweringContext, node: SyntaxNode, parts: Partial<Loop>): Stmt => ({
  kind: 'loop',
  at: rangeOf(node),
  setup: [],
  test: null,
  step: [],
  each: null,
  eachKey: null,
  over: null,
  body: statementsOf(lowering, childByField(node, 'body')),
  ...parts,
})

function choice(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [subject, body] = [childByField(node, 'value'), childByField(node, 'body')]
  const cases = (body ? namedChildren(body) : []).map((each): Case => {
    const test = each.type === 'switch_case' ? childByField(each, 'value') : undefined
    return {
      tests: test ? [lowering.expression(test)] : [],
      body: lowering.statements(childrenByField(each, 'body')),
      hasNoFallthrough: false,
    }
  })
  return [
    { kind: 'switch', at: rangeOf(node), subject: subject ? lowering.expression(subject) : null, cases },
  ]
}

function leave(lowering: LoweringContext, node: SyntaxNode, kind: 'return' | 'throw'): Stmt {
  const value = namedChildren(node)[0]
  return { kind, at: rangeOf(node), value: value ? lowering.expression(value) : null }
}

function attempt(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const handler = childByField(node, 'handler')
  const finalizer = childByField(node, 'finalizer')
  const parameter = handler && childByField(handler, 'parameter')
  return [
    {
      kind: 'try',
      at: rangeOf(node),
      body: statementsOf(lowering, childByField(node, 'body')),
      handlers: handler
        ? [
            {
              target: parameter ? lowerTarget(lowering, parameter) : null,
              body: statementsOf(lowering, childByField(handler, 'body')),
            },
          ]
        : [],
      finalizer: statementsOf(lowering, finalizer && childByField(finalizer, 'body')),
    },
  ]
}

function block(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  return [{ kind: 'block', at: rangeOf(node), body: lowering.statements(namedChildren(node)) }]
}

/** The statements of a block, or a single statement. */
function statementsOf(lowering: LoweringContext, node: SyntaxNode | undefined): Stmt[] {
  if (!node) return []
  if (node.type === 'statement_block') return lowering.statements(namedChildren(node))
  const isStatement = LOWERINGS.has(node.type) || isFunctionNode(node) || isClassNode(node)
  if (isStatement) return lowerStatement(lowering, node)
  return [{ kind: 'expression', at: rangeOf(node), value: lowering.expression(node) }]
}

function enumeration(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  const [name, body] = [childByField(node, 'name'), childByField(node, 'body')]
  if (!name || !body) return []
  const entries = namedChildren(body).map((part, index) => {
    const key = childByField(part, 'name') ?? part
    const value = childByField(part, 'value')
    const text = key.type === 'string' ? stringOf(lowering, key) : sourceOf(lowering, key)
    return { key: literal(key, text), value: value ? lowering.expression(value) : literal(part, index) }
  })
  const target = nameExpr(name, sourceOf(lowering, name))
  const value: Expr = { kind: 'map', at: rangeOf(body), entries }
  return [{ kind: 'declare', at: rangeOf(node), target, type: null, value, isConstant: true }]
}

/** Declarations of a namespace are treated as visible in the whole file. */
function space(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  return statementsOf(lowering, childByField(node, 'body'))
}

/** A node with syntax errors: its statements are still lowered. */
function broken(lowering: LoweringContext, node: SyntaxNode): Stmt[] {
  return lowering.statements(namedChildren(node))
}

const childrenOfType = (node: SyntaxNode, type: string): SyntaxNode[] =>
  node.children.filter((child) => child.type === type)
