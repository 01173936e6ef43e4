// Strings built from constants and values: which interpolated values are tainted, and the text around them.

import type { AbstractValue, SinkKind, Taint } from '../abstract-value.ts'
import { type Confidence, type Hit, worstTaint } from '../rule.ts'
import type { SourceRange } from '../syntax/tree.ts'

/** A value inside a string. `before` is the text up to it, with `\0` for other values. */
export type Interpolation = { readonly value: AbstractValue; readonly before: string; readonly after: string }

/** A value that is not a concatenation is one interpolation without text around it. */
export function interpolationsOf(value: AbstractValue): Interpolation[] {
  if (value.known !== undefined) return []
  if (!value.pieces) return [{ value, before: '', after: '' }]
  const texts = value.pieces.map((piece) => (typeof piece === 'string' ? piece : '\0'))
  return value.pieces.flatMap((piece, index) =>
    typeof piece === 'string'
      ? []
      : [{ value: piece, before: texts.slice(0, index).join(''), after: texts.slice(index + 1).join('') }],
  )
}

/** The constant text, with `\0` for unknown values. */
export const outlineOf = ({ known, pieces }: AbstractValue): string => {
  if (known !== undefined) return String(known)
  return pieces ? pieces.map((piece) => (typeof piece === 'string' ? piece : '\0')).join('') : '\0'
}

/** The first interpolation with a taint that is not sanitized for these sinks and that `fits`. */
export function findTaintedInterpolation(
  value: AbstractValue,
  sinks: readonly SinkKind[],
  fits: (taint: Taint, hole: Interpolation) => boolean,
): { readonly taint: Taint; readonly hole: Interpolation } | undefined {
  for (const hole of interpolationsOf(value)) {
    const taint = worstTaint(hole.value, sinks)
    if (taint && fits(taint, hole)) return { taint, hole }
  }
  return undefined
}

/** Excludes values that passed through an unknown function, because it may have sanitized them. */
export const isDirectRequest = ({ origin, unknownCalls }: Taint): boolean =>
  origin === 'request' && unknownCalls === 0

/** A value directly from a request is certain. One from a caller or through an unknown function is likely. */
export const confidenceOf = ({ origin, unknownCalls }: Taint): Confidence =>
  origin === 'request' && unknownCalls === 0 ? 'high' : unknownCalls > 1 ? 'low' : 'medium'

export const flowHit = (at: SourceRange, taint: Taint, into: string): Hit => ({
  at,
  confidence: confidenceOf(taint),
  detail: `\`${taint.label}\` reaches ${into}.`,
  flow: taint.steps,
})

/** Whether the text already fixes the host of the URL. Text after it cannot change the host. */
export const hasFixedHost = (before: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[^/?#\0]+[/?#]/i.test(before)

/** Whether the text starts a path on the same site. `//` and `/\` lead to other hosts. */
export const isLocalPath = (before: string): boolean =>
  /^(\/[^/\\\0]|[?#]|[\w-]+[/?.])/.test(before) && !/^\w+:/.test(before)
