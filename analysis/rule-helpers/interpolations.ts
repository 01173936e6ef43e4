// Texts that were put together: where in them somebody else has a say, and what stands around it.

import type { AbstractValue, SinkKind, Taint } from '../abstract-value.ts'
import { type Confidence, type Hit, worstTaint } from '../rule.ts'
import type { SourceRange } from '../syntax/tree.ts'

/** A value inside of a text. `before` is all the text up to it, with `\0` for other values. */
export type Interpolation = { readonly value: AbstractValue; readonly before: string; readonly after: string }

/** A value that was not put together is one hole without text around it. */
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

/** The text with `\0` for what is not known. */
export const outlineOf = ({ known, pieces }: AbstractValue): string => {
  if (known !== undefined) return String(known)
  return pieces ? pieces.map((piece) => (typeof piece === 'string' ? piece : '\0')).join('') : '\0'
}

/** The first hole through which somebody gets in who fits. */
export function findTaintedInterpolation(
  value: AbstractValue,
  cleanedBy: readonly SinkKind[],
  fits: (taint: Taint, hole: Interpolation) => boolean,
): { readonly taint: Taint; readonly hole: Interpolation } | undefined {
  for (const hole of interpolationsOf(value)) {
    const taint = worstTaint(hole.value, cleanedBy)
    if (taint && fits(taint, hole)) return { taint, hole }
  }
  return undefined
}

/** Straight from a request: what went through a function that nobody knows may have been cleaned there. */
export const isDirectRequest = ({ origin, unknownCalls }: Taint): boolean =>
  origin === 'request' && unknownCalls === 0

/** What comes straight from a request is certain; what went through something unknown, or comes from a caller, is likely. */
export const confidenceOf = ({ origin, unknownCalls }: Taint): Confidence =>
  origin === 'request' && unknownCalls === 0 ? 'high' : unknownCalls > 1 ? 'low' : 'medium'

export const flowHit = (at: SourceRange, taint: Taint, into: string): Hit => ({
  at,
  confidence: confidenceOf(taint),
  detail: `\`${taint.label}\` reaches ${into}.`,
  flow: taint.steps,
})

/** The beginning of a URL that already says whom it goes to: what follows cannot change that. */
export const hasFixedHost = (before: string): boolean => /^[a-z][a-z\d+.-]*:\/\/[^/?#\0]+[/?#]/i.test(before)

/** The beginning of a path on our own site. `//` and `/\` lead elsewhere. */
export const isLocalPath = (before: string): boolean =>
  /^(\/[^/\\\0]|[?#]|[\w-]+[/?.])/.test(before) && !/^\w+:/.test(before)
