// Rewrites comparisons of a position, such as `list.indexOf(x) !== -1`, as the membership test they mean,
// so that guards apply to them.
import type { Expr, ExprOf } from '../../ir.ts'

export function asMembershipTest(comparison: ExprOf<'binary'> & Expr): Expr {
  const { left, right, operator } = comparison
  const prefix = asPrefixTest(comparison)
  if (prefix) return prefix
  const position = numberIn(right)
  if (position === undefined || left.kind !== 'call' || left.callee.kind !== 'member') return comparison
  const { callee } = left
  const question = membershipTestOf(callee.property, operator, position)
  if (!question) return comparison
  const asked: Expr = { ...left, callee: { ...callee, property: question.method } }
  return question.answer ? asked : { kind: 'unary', at: comparison.at, operator: '!', operand: asked }
}

/** `file.slice(0, root.length) === root` tests a prefix. */
function asPrefixTest({ left, right, operator, at }: ExprOf<'binary'> & Expr): Expr | undefined {
  if (!/^[!=]==?$/.test(operator) || left.kind !== 'call' || left.callee.kind !== 'member') return undefined
  const { callee, args } = left
  const [from, to] = args.map(({ value }) => value)
  if (!/^(?:slice|substr|substring)$/.test(callee.property) || !from || numberIn(from) !== 0) return undefined
  const isWhole = to?.kind === 'member' && to.property === 'length' && isSame(to.object, right)
  if (!isWhole) return undefined
  const arg = { name: null, isSpread: false, value: right }
  const asked: Expr = { ...left, callee: { ...callee, property: 'startsWith' }, args: [arg] }
  return operator.startsWith('=') ? asked : { kind: 'unary', at, operator: '!', operand: asked }
}

function isSame(one: Expr, other: Expr): boolean {
  if (one.kind === 'name') return other.kind === 'name' && one.name === other.name
  if (one.kind !== 'member' || other.kind !== 'member') return false
  return one.property === other.property && isSame(one.object, other.object)
}

type MembershipTest = { readonly method: string; readonly answer: boolean }

function membershipTestOf(method: string, operator: string, position: number): MembershipTest | undefined {
  if (!INDEX_METHODS.has(method)) return undefined
  const there = method === 'search' ? 'match' : 'includes'
  switch (`${operator.slice(0, 2)} ${position}`) {
    case '== -1':
    case '< 0':
      return { method: there, answer: false }
    case '!= -1':
    case '> -1':
    case '>= 0':
      return { method: there, answer: true }
    case '== 0':
      return method === 'search' ? undefined : { method: 'startsWith', answer: true }
    case '!= 0':
      return method === 'search' ? undefined : { method: 'startsWith', answer: false }
    default:
      return undefined
  }
}

const INDEX_METHODS = new Set(['indexOf', 'lastIndexOf', 'search'])

function numberIn(expr: Expr): number | undefined {
  if (expr.kind === 'literal') return typeof expr.value === 'number' ? expr.value : undefined
  if (expr.kind !== 'unary' || expr.operator !== '-') return undefined
  const value = numberIn(expr.operand)
  return value === undefined ? undefined : -value
}
