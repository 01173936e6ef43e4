// Lowers calls: methods, blocks, constructors, `super` and `yield`.

import type { Argument, Expr } from '../../ir.ts'
import { callExpr, memberExpr, nameExpr, otherExpr, positional, rangeOf } from '../../ir-builders.ts'
import { childByField, namedChildren, type SyntaxNode } from '../../syntax/tree.ts'
import { entriesOf, matchExpr } from './collections.ts'
import { BLOCK, type LoweringContext, sourceOf, variableOrCall } from './context.ts'
import { symbolBlock } from './functions.ts'

export function callOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const [receiver, method, block] = ['receiver', 'method', 'block'].map((field) => childByField(node, field))
  const list = childByField(node, 'arguments')
  const args = [
    ...(list ? argumentsOf(lowering, list) : []),
    ...(block ? [blockArgument(lowering, block)] : []),
  ]
  const object = receiver && lowering.expression(lowering, receiver)
  // `f.(x)`
  if (!method) return object ? callExpr(at, object, args) : otherExpr(at)
  const name = sourceOf(lowering, method)
  if (method.type === 'super') return aboveCall(lowering, node, args)
  if (!object) return plainCall(node, name, args)
  if (name === 'new' && isConstant(receiver)) {
    const made = block && receiver && sourceOf(lowering, receiver)
    const [inline] = args.slice(-1)
    if (made === 'Proc' && inline) return inline.value
    return { kind: 'call', at, callee: object, args, isNew: true }
  }
  return methodCall(at, object, name, args)
}

const isConstant = (node: SyntaxNode | undefined): boolean =>
  node?.type === 'constant' || node?.type === 'scope_resolution'

function methodCall(at: Expr['at'], object: Expr, name: string, args: readonly Argument[]): Expr {
  const [first, ...rest] = args
  if (first && /^(?:send|public_send|__send__)$/.test(name) && typeof literalIn(first.value) === 'string')
    return callExpr(at, memberExpr(at, object, String(literalIn(first.value))), rest)
  if (first && name === 'method' && typeof literalIn(first.value) === 'string')
    return memberExpr(at, object, String(literalIn(first.value)))
  if (first && object.kind === 'regex' && /^match\??$/.test(name)) return matchExpr(at, object, first.value)
  return callExpr(at, memberExpr(at, object, name), args)
}

const literalIn = (expr: Expr): unknown => (expr.kind === 'literal' ? expr.value : undefined)

function plainCall(node: SyntaxNode, name: string, args: readonly Argument[]): Expr {
  const at = rangeOf(node)
  const [first] = args
  if (/^(?:lambda|proc)$/.test(name) && first?.value.kind === 'function') return first.value
  if (/^(?:send|public_send|method)$/.test(name) && first)
    return methodCall(at, nameExpr(at, 'this'), name, args)
  return callExpr(at, nameExpr(at, name), args)
}

export function argumentsOf(lowering: LoweringContext, list: SyntaxNode): Argument[] {
  return namedChildren(list).flatMap((part): Argument[] => {
    switch (part.type) {
      case 'heredoc_body':
        return []
      case 'splat_argument':
        return [{ ...positional(lowering.expression(lowering, part)), isSpread: true }]
      case 'block_argument':
        return blockValue(lowering, part)
      case 'pair':
      case 'hash_splat_argument':
        return entriesOf(lowering, [part]).map(({ key, value }) => {
          const name = key ? literalIn(key) : undefined
          return name === undefined || name === null
            ? positional({ kind: 'map', at: rangeOf(part), entries: [{ key, value }] })
            : { name: String(name), isSpread: false, value }
        })
      default:
        return [positional(lowering.expression(lowering, part))]
    }
  })
}

/** `&:name`, `&block`. */
function blockValue(lowering: LoweringContext, part: SyntaxNode): Argument[] {
  const [inside] = namedChildren(part)
  if (!inside) return [{ name: BLOCK, isSpread: false, value: nameExpr(rangeOf(part), BLOCK) }]
  const value =
    inside.type === 'simple_symbol'
      ? symbolBlock(rangeOf(part), sourceOf(lowering, inside).slice(1))
      : lowering.expression(lowering, inside)
  return [{ name: BLOCK, isSpread: false, value }]
}

const blockArgument = (lowering: LoweringContext, block: SyntaxNode): Argument => ({
  name: BLOCK,
  isSpread: false,
  value: { kind: 'function', at: rangeOf(block), definition: lowering.block(lowering, block) },
})

/** `super` without arguments passes those of the method. */
export function superOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const args = (lowering.method?.parameters ?? []).map((name) =>
    positional(variableOrCall(lowering, node, name)),
  )
  return aboveCall(lowering, node, args)
}

function aboveCall({ method }: LoweringContext, node: SyntaxNode, args: readonly Argument[]): Expr {
  const at = rangeOf(node)
  return callExpr(at, memberExpr(at, nameExpr(at, 'super'), method?.name ?? 'constructor'), args)
}

/** Calls the block of the method. */
export function yieldOf(lowering: LoweringContext, node: SyntaxNode): Expr {
  const at = rangeOf(node)
  const [list] = namedChildren(node)
  return callExpr(at, nameExpr(at, BLOCK), list ? argumentsOf(lowering, list) : [])
}
