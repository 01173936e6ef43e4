// Lowers `match`: values become tests, names are bound to the matched parts.

import type { Case, Expr, Stmt } from '../../ir.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import {
  asStatement,
  assignExpr,
  branch,
  type LoweringContext,
  literal,
  nameExpr,
  otherExpr,
  rangeOf,
  sourceOf,
} from './context.ts'
import { expression } from './expressions.ts'

type LowerBody = (lowering: LoweringContext, nodes: readonly SyntaxNode[]) => Stmt[]

export function lowerMatch(lowering: LoweringContext, node: SyntaxNode, lower: LowerBody): Stmt[] {
  const at = rangeOf(node)
  const subject = expression(lowering, childByField(node, 'subject'))
  const once = subject.kind === 'name' ? subject : nameExpr(at, SUBJECT)
  const body = childByField(node, 'body')
  const cases = (body ? namedChildren(body) : [])
    .filter(({ type }) => type === 'case_clause')
    .map((clause) => oneCase(lowering, clause, once, lower))
  const matched: Stmt = { kind: 'switch', at, subject: once, cases }
  return subject === once ? [matched] : [asStatement(assignExpr(at, once, subject)), matched]
}

const SUBJECT = '$matched'

type PatternMatch = {
  readonly tests: readonly Expr[]
  readonly taken: readonly Expr[]
  readonly isAny: boolean
}

function oneCase(lowering: LoweringContext, clause: SyntaxNode, subject: Expr, lower: LowerBody): Case {
  const patterns = namedChildren(clause).filter(({ type }) => type === 'case_pattern')
  const [first] = patterns
  const read: PatternMatch =
    patterns.length === 1 && first
      ? pattern(lowering, first, subject)
      : {
          tests: [],
          taken: patterns.flatMap((each, index) => item(lowering, each, subject, index)),
          isAny: false,
        }
  const guard = childByField(clause, 'guard')
  const then = lower(lowering, namedChildren(childByField(clause, 'consequence') ?? clause))
  const at = rangeOf(clause)
  const guarded: Stmt[] = guard ? [branch(at, expression(lowering, namedChildren(guard)[0]), then)] : then
  const tests = read.isAny ? [] : read.tests.length > 0 ? read.tests : [otherExpr(at, [])]
  return { tests, body: [...read.taken.map(asStatement), ...guarded], hasNoFallthrough: true }
}

/** The tests and bindings of a pattern. A structural pattern may or may not match. */
function pattern(lowering: LoweringContext, node: SyntaxNode, subject: Expr): PatternMatch {
  const at = rangeOf(node)
  const parts = namedChildren(node)
  const [only] = parts
  switch (node.type) {
    case 'case_pattern':
      return only ? pattern(lowering, only, subject) : ANY
    case 'dotted_name':
      return parts.length === 1
        ? takes(assignExpr(at, expression(lowering, only), subject))
        : asks(expression(lowering, node))
    case 'union_pattern': {
      const reads = parts.map((part) => pattern(lowering, part, subject))
      return {
        tests: reads.flatMap(({ tests }) => tests),
        taken: reads.flatMap(({ taken }) => taken),
        isAny: reads.some(({ isAny }) => isAny),
      }
    }
    case 'as_pattern': {
      const inner = only ? pattern(lowering, only, subject) : ANY
      const alias = parts.at(-1)
      return alias
        ? { ...inner, taken: [...inner.taken, assignExpr(at, expression(lowering, alias), subject)] }
        : inner
    }
    case 'list_pattern':
    case 'tuple_pattern':
      return shape(parts.flatMap((part, index) => item(lowering, part, subject, index)))
    case 'dict_pattern':
      return shape(entries(lowering, node, subject))
    case 'class_pattern':
      return shape(parts.slice(1).flatMap((part) => keyword(lowering, part, subject)))
    default:
      return asks(expression(lowering, node))
  }
}

const ANY: PatternMatch = { tests: [], taken: [], isAny: true }
const takes = (taken: Expr): PatternMatch => ({ tests: [], taken: [taken], isAny: true })
const asks = (test: Expr): PatternMatch => ({ tests: [test], taken: [], isAny: false })
const shape = (taken: readonly Expr[]): PatternMatch => ({ tests: [], taken, isAny: false })

function item(lowering: LoweringContext, node: SyntaxNode, subject: Expr, index: number): readonly Expr[] {
  const at = rangeOf(node)
  const splat = namedChildren(node).find(({ type }) => type === 'splat_pattern')
  const taken: Expr = { kind: 'index', at, object: subject, key: literal(at, index) }
  const rest = splat ? namedChildren(splat)[0] : undefined
  if (rest) return [assignExpr(at, expression(lowering, rest), subject)]
  return pattern(lowering, node, taken).taken
}

function entries(lowering: LoweringContext, node: SyntaxNode, subject: Expr): Expr[] {
  const at = rangeOf(node)
  const keys = node.children.filter(({ field }) => field === 'key').map((key) => expression(lowering, key))
  const values = node.children.filter(({ field }) => field === 'value')
  return values.flatMap((value, index) => {
    const key = keys[index]
    return key ? pattern(lowering, value, { kind: 'index', at, object: subject, key }).taken : []
  })
}

function keyword(lowering: LoweringContext, node: SyntaxNode, subject: Expr): readonly Expr[] {
  const [inner] = namedChildren(node)
  if (inner?.type !== 'keyword_pattern') return pattern(lowering, node, subject).taken
  const [named, value] = namedChildren(inner)
  if (!named || !value) return []
  const member: Expr = {
    kind: 'member',
    at: rangeOf(node),
    object: subject,
    property: sourceOf(lowering, named),
  }
  return pattern(lowering, value, member).taken
}
