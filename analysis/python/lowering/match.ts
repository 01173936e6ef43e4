// Lowers `match`: values become tests, names are bound to the matched parts.

import type { Case, Expr, Stmt } from '../../ir.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import {
  asStatement,
  assign,
  branch,
  type Lowering,
  literal,
  name,
  other,
  placeOf,
  sourceOf,
} from './context.ts'
import { expression } from './expressions.ts'

type LowerBody = (from: Lowering, nodes: readonly SyntaxNode[]) => Stmt[]

export function matching(from: Lowering, node: SyntaxNode, lower: LowerBody): Stmt[] {
  const at = placeOf(node)
  const subject = expression(from, childByField(node, 'subject'))
  const once = subject.kind === 'name' ? subject : name(at, SUBJECT)
  const body = childByField(node, 'body')
  const cases = (body ? namedChildren(body) : [])
    .filter(({ type }) => type === 'case_clause')
    .map((clause) => oneCase(from, clause, once, lower))
  const matched: Stmt = { kind: 'switch', at, subject: once, cases }
  return subject === once ? [matched] : [asStatement(assign(at, once, subject)), matched]
}

const SUBJECT = '$matched'

type Read = { readonly tests: readonly Expr[]; readonly taken: readonly Expr[]; readonly isAny: boolean }

function oneCase(from: Lowering, clause: SyntaxNode, subject: Expr, lower: LowerBody): Case {
  const patterns = namedChildren(clause).filter(({ type }) => type === 'case_pattern')
  const [first] = patterns
  const read: Read =
    patterns.length === 1 && first
      ? pattern(from, first, subject)
      : {
          tests: [],
          taken: patterns.flatMap((each, index) => item(from, each, subject, index)),
          isAny: false,
        }
  const guard = childByField(clause, 'guard')
  const then = lower(from, namedChildren(childByField(clause, 'consequence') ?? clause))
  const at = placeOf(clause)
  const guarded: Stmt[] = guard ? [branch(at, expression(from, namedChildren(guard)[0]), then)] : then
  const tests = read.isAny ? [] : read.tests.length > 0 ? read.tests : [other(at, [])]
  return { tests, body: [...read.taken.map(asStatement), ...guarded], hasNoFallthrough: true }
}

/** The tests and bindings of a pattern. A structural pattern may or may not match. */
function pattern(from: Lowering, node: SyntaxNode, subject: Expr): Read {
  const at = placeOf(node)
  const parts = namedChildren(node)
  const [only] = parts
  switch (node.type) {
    case 'case_pattern':
      return only ? pattern(from, only, subject) : ANY
    case 'dotted_name':
      return parts.length === 1
        ? takes(assign(at, expression(from, only), subject))
        : asks(expression(from, node))
    case 'union_pattern': {
      const reads = parts.map((part) => pattern(from, part, subject))
      return {
        tests: reads.flatMap(({ tests }) => tests),
        taken: reads.flatMap(({ taken }) => taken),
        isAny: reads.some(({ isAny }) => isAny),
      }
    }
    case 'as_pattern': {
      const inner = only ? pattern(from, only, subject) : ANY
      const alias = parts.at(-1)
      return alias
        ? { ...inner, taken: [...inner.taken, assign(at, expression(from, alias), subject)] }
        : inner
    }
    case 'list_pattern':
    case 'tuple_pattern':
      return shape(parts.flatMap((part, index) => item(from, part, subject, index)))
    case 'dict_pattern':
      return shape(entries(from, node, subject))
    case 'class_pattern':
      return shape(parts.slice(1).flatMap((part) => keyword(from, part, subject)))
    default:
      return asks(expression(from, node))
  }
}

const ANY: Read = { tests: [], taken: [], isAny: true }
const takes = (taken: Expr): Read => ({ tests: [], taken: [taken], isAny: true })
const asks = (test: Expr): Read => ({ tests: [test], taken: [], isAny: false })
const shape = (taken: readonly Expr[]): Read => ({ tests: [], taken, isAny: false })

function item(from: Lowering, node: SyntaxNode, subject: Expr, index: number): readonly Expr[] {
  const at = placeOf(node)
  const splat = namedChildren(node).find(({ type }) => type === 'splat_pattern')
  const taken: Expr = { kind: 'index', at, object: subject, key: literal(at, index) }
  const rest = splat ? namedChildren(splat)[0] : undefined
  if (rest) return [assign(at, expression(from, rest), subject)]
  return pattern(from, node, taken).taken
}

function entries(from: Lowering, node: SyntaxNode, subject: Expr): Expr[] {
  const at = placeOf(node)
  const keys = node.children.filter(({ field }) => field === 'key').map((key) => expression(from, key))
  const values = node.children.filter(({ field }) => field === 'value')
  return values.flatMap((value, index) => {
    const key = keys[index]
    return key ? pattern(from, value, { kind: 'index', at, object: subject, key }).taken : []
  })
}

function keyword(from: Lowering, node: SyntaxNode, subject: Expr): readonly Expr[] {
  const [inner] = namedChildren(node)
  if (inner?.type !== 'keyword_pattern') return pattern(from, node, subject).taken
  const [named, value] = namedChildren(inner)
  if (!named || !value) return []
  const member: Expr = { kind: 'member', at: placeOf(node), object: subject, property: sourceOf(from, named) }
  return pattern(from, value, member).taken
}
