// Taint queries that the Python rules share.

import type { AbstractValue, SinkKind, Taint } from '../../abstract-value.ts'
import { allTaints } from '../../engine/values/values.ts'
import type { CallEvent, Confidence, EventContext, Hit } from '../../rule.ts'
import { worstTaint } from '../../rule.ts'

type FlowOptions = {
  readonly sinks: readonly SinkKind[]
  /** Also reports parameters of exported functions. */
  readonly isForParameters?: boolean
  readonly unknownCallsMax?: number
}

/** The worst taint that is not sanitized for these sinks. */
export function findTaint(
  value: AbstractValue | undefined,
  { sinks, isForParameters, unknownCallsMax = 1 }: FlowOptions,
): Taint | undefined {
  if (!value) return undefined
  const taints = allTaints(value).filter(
    ({ origin, unknownCalls }) =>
      (origin === 'request' && unknownCalls <= unknownCallsMax) ||
      (isForParameters && origin === 'parameter' && unknownCalls === 0),
  )
  return worstTaint({ taints }, sinks)
}

/** The hit for a taint. A value directly from a request has high confidence. */
export function flowHit(event: Pick<CallEvent, 'expr'> | { readonly at: Hit['at'] }, taint: Taint): Hit {
  const at = 'expr' in event ? event.expr.at : event.at
  return {
    at,
    confidence: confidenceOf(taint),
    flow: taint.steps,
    detail: `${describeTaint(taint)} reaches this point.`,
  }
}

const confidenceOf = ({ origin, unknownCalls }: Taint): Confidence =>
  origin === 'request' && unknownCalls === 0 ? 'high' : 'medium'

const describeTaint = ({ origin, label }: Taint): string =>
  origin === 'request' ? `\`${label}\` from the request` : `\`${label}\``

/** The text before each tainted part. */
export function textBeforeTaints(value: AbstractValue): string[] {
  const pieces = value.pieces ?? []
  return pieces.flatMap((piece, index) => {
    if (typeof piece === 'string' || allTaints(piece).length === 0) return []
    const before = pieces[index - 1]
    return [typeof before === 'string' ? before : '']
  })
}

/** The constant text of a concatenation. */
export const constantText = ({ pieces, known }: AbstractValue): string =>
  pieces
    ? pieces.filter((piece) => typeof piece === 'string').join(' ')
    : typeof known === 'string'
      ? known
      : ''

/** Whether the constant prefix fixes the host or the site. */
export function hasFixedHost(value: AbstractValue): boolean {
  const [first, second] = value.pieces ?? []
  if (first === undefined) return false
  if (typeof first !== 'string')
    return allTaints(first).every(({ origin }) => origin !== 'request') && second !== undefined
  return (
    /^(?:\w+:)?\/\/[^/?#]+[/?#]/.test(first) || /^\/[^/\\]/.test(first) || /^[?#]|^[\w.-]+[/?]/.test(first)
  )
}

/** Whether a function handles requests: it has a route, takes a request, or belongs to a view. */
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

/** Names of secrets and credentials. */
export const SECRET_NAME =
  /(?:^|_|\b)(?:pass(?:word|wd|phrase)?|pwd|secret|token|otp|session_?id|csrf|nonce|api_?key|auth_?(?:code|key)|reset_?(?:code|key)|verification_?code|remember_?me|salt|signature|credential)(?:$|_|\b|s$)/i
