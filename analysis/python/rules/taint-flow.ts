// What the rules for Python ask of values: who decides them, and what has been put together around them.

import type { AbstractValue, SinkKind, Taint } from '../../abstract-value.ts'
import { allTaints } from '../../engine/values/values.ts'
import type { CallEvent, Confidence, EventContext, Hit } from '../../rule.ts'
import { worstTaint } from '../../rule.ts'

type Asked = {
  readonly cleanedBy: readonly SinkKind[]
  /** What a caller of an exported function decides counts as well. */
  readonly isForParameters?: boolean
  readonly unknownCallsMax?: number
}

/** What somebody else decides and nobody has made harmless. */
export function flowing(
  value: AbstractValue | undefined,
  { cleanedBy, isForParameters, unknownCallsMax = 1 }: Asked,
): Taint | undefined {
  if (!value) return undefined
  const taints = allTaints(value).filter(
    ({ origin, unknownCalls }) =>
      (origin === 'request' && unknownCalls <= unknownCallsMax) ||
      (isForParameters && origin === 'parameter' && unknownCalls === 0),
  )
  return worstTaint({ taints }, cleanedBy)
}

/** What a rule says of it: sure where the request itself arrives, less so behind functions that nobody knows. */
export function hit(event: Pick<CallEvent, 'expr'> | { readonly at: Hit['at'] }, taint: Taint): Hit {
  const at = 'expr' in event ? event.expr.at : event.at
  return { at, confidence: sureness(taint), flow: taint.steps, detail: `${told(taint)} gets here.` }
}

const sureness = ({ origin, unknownCalls }: Taint): Confidence =>
  origin === 'request' && unknownCalls === 0 ? 'high' : 'medium'

const told = ({ origin, label }: Taint): string =>
  origin === 'request' ? `\`${label}\` of the request` : `\`${label}\``

/** The text in front of each piece that somebody else decides. */
export function textsBefore(value: AbstractValue): string[] {
  const pieces = value.pieces ?? []
  return pieces.flatMap((piece, index) => {
    if (typeof piece === 'string' || allTaints(piece).length === 0) return []
    const before = pieces[index - 1]
    return [typeof before === 'string' ? before : '']
  })
}

/** All the text of ours in a text that was put together. */
export const ownText = ({ pieces, known }: AbstractValue): string =>
  pieces
    ? pieces.filter((piece) => typeof piece === 'string').join(' ')
    : typeof known === 'string'
      ? known
      : ''

/** Whether a text begins with what is ours to such an extent that the host, or the site, is fixed. */
export function hasFixedHost(value: AbstractValue): boolean {
  const [first, second] = value.pieces ?? []
  if (first === undefined) return false
  if (typeof first !== 'string') return allTaints(first).length === 0 && second !== undefined
  return (
    /^(?:\w+:)?\/\/[^/?#]+[/?#]/.test(first) || /^\/[^/\\]/.test(first) || /^[?#]|^[\w.-]+[/?]/.test(first)
  )
}

/** Whether a function answers requests: it has a route, takes a request, or stands in a view. */
export function isHandler({ functions, classes }: EventContext): boolean {
  return (
    functions.some(
      ({ annotations, parameters }) =>
        annotations.some(({ name }) =>
          /(?:^|\.)(?:route|get|post|put|patch|delete|api_view|api_route)$/.test(name),
        ) ||
        parameters.some(
          ({ target, type }) =>
            (target.kind === 'name' && target.name === 'request') || /Request$/.test(type ?? ''),
        ),
    ) ||
    (classes[0]?.bases.some((base) => /(?:View|ViewSet|Resource|Handler)$/.test(base)) ?? false)
  )
}

/** Names under which secrets and what stands for a person are kept. */
export const SECRET_NAME =
  /(?:^|_|\b)(?:pass(?:word|wd|phrase)?|pwd|secret|token|otp|session_?id|csrf|nonce|api_?key|auth_?(?:code|key)|reset_?(?:code|key)|verification_?code|remember_?me|salt|signature|credential)(?:$|_|\b|s$)/i
