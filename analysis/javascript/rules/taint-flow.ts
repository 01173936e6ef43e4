// How a value that somebody else decides becomes a finding: who decides it, and how sure that is.

import type { AbstractValue, Origin, SinkKind, Taint } from '../../abstract-value.ts'
import { allTaints } from '../../engine/values/values.ts'
import type { Confidence, EventContext, Hit } from '../../rule.ts'
import type { SourceRange } from '../../syntax/tree.ts'

export type Reach = {
  readonly cleanedBy: readonly SinkKind[]
  /** `request` alone where nothing is said. */
  readonly origins?: readonly Origin[]
  /** What is sent under these names is not the danger that is looked for. */
  readonly except?: RegExp
  /** Also what is in its members and items. */
  readonly isDeep?: true
}

/** The finding that a value makes at a place, or undefined where nobody else decides it. */
export function flow(at: SourceRange, value: AbstractValue | undefined, reach: Reach): Hit | undefined {
  const taint = value && taintIn(value, reach)
  if (!taint) return undefined
  return {
    at,
    confidence: confidenceOf(taint),
    detail: `\`${taint.label}\` gets here.`,
    flow: taint.steps,
  }
}

export function taintIn(
  value: AbstractValue,
  { cleanedBy, origins = ['request'], except, isDeep }: Reach,
): Taint | undefined {
  const taints = isDeep ? allTaints(value) : value.taints
  return taints.find(
    ({ origin, label, sanitizedFor, unknownCalls }) =>
      origins.includes(origin) &&
      !except?.test(label) &&
      !sanitizedFor.has('all') &&
      !cleanedBy.some((each) => sanitizedFor.has(each)) &&
      unknownCalls <= (UNKNOWN_CALLS_MAX[origin] ?? 0),
  )
}

/** What a caller of a library gives may have been anything; two unknown functions on the way make it a guess. */
const UNKNOWN_CALLS_MAX: Partial<Record<Origin, number>> = { request: 1, parameter: 0 }

function confidenceOf({ origin, unknownCalls }: Taint): Confidence {
  return origin === 'request' && unknownCalls === 0 ? 'high' : 'medium'
}

/** What stands before a place in the functions around it: checks that leave nothing in the value itself. */
export function textBefore({ functions, text }: EventContext, at: SourceRange): string {
  const outermost = functions.at(-1)
  return text.slice(outermost?.at.start ?? Math.max(0, at.start - 4000), at.start)
}

/** The fixed text that a value begins with. */
export function beginning({ pieces, known }: AbstractValue): string {
  if (typeof known === 'string') return known
  const first = pieces?.[0]
  return typeof first === 'string' ? first : ''
}

/** The fixed texts in it, joined. */
export function fixedText({ pieces, known }: AbstractValue): string {
  if (typeof known === 'string') return known
  return pieces?.map((piece) => (typeof piece === 'string' ? piece : ' ')).join('') ?? ''
}
