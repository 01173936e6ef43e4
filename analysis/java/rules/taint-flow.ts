// From where a value comes to what it can do: the question that most rules ask.

import type { AbstractValue, SinkKind, Taint } from '../../abstract-value.ts'
import { isType } from '../../engine/name-patterns.ts'
import { allTaints } from '../../engine/values/values.ts'
import type { CallEvent, EventContext, Hit } from '../../rule.ts'
import type { SourceRange } from '../../syntax/tree.ts'

type Judging = {
  /** Which cleanings end it. */
  readonly cleanedBy: readonly SinkKind[]
  /** Also what a caller of a public method decides. */
  readonly isForParameters?: boolean
  /** How many functions of which nothing is known it may have gone through. */
  readonly unknownCallsMax?: number
  /** Look into lists and objects, too. */
  readonly isDeep?: boolean
}

/** The worst that gets through; a request is certain, a caller is likely. */
export function flowInto(
  at: SourceRange,
  value: AbstractValue | undefined,
  judging: Judging,
): Hit | undefined {
  const taint = value && worst(value, judging)
  if (!taint) return undefined
  const isCertain = taint.origin === 'request' && taint.unknownCalls === 0
  return {
    at,
    confidence: isCertain ? 'high' : 'medium',
    detail: `\`${taint.label}\` gets here.`,
    flow: taint.steps,
  }
}

export function worst(
  value: AbstractValue,
  { cleanedBy, isForParameters = false, isDeep = false, unknownCallsMax = 0 }: Judging,
): Taint | undefined {
  const taints = isDeep ? allTaints(value) : value.taints
  return taints.find(({ origin, sanitizedFor, unknownCalls }) => {
    const isOurs = origin !== 'request' && !(isForParameters && origin === 'parameter' && unknownCalls === 0)
    return (
      !isOurs &&
      unknownCalls <= unknownCallsMax &&
      !sanitizedFor.has('all') &&
      !cleanedBy.some((each) => sanitizedFor.has(each))
    )
  })
}

/** Whether the call is a method of one of these types. A receiver of a type that nobody told is none. */
export function isMethodOf(
  { receiver, method }: CallEvent,
  types: readonly string[],
  methods: RegExp,
): boolean {
  return methods.test(method) && types.some((type) => isType(receiver?.type, type))
}

/** The text of the method around, or of the file where there is none. */
export function around({ functions, source, text }: EventContext): string {
  const outer = functions.at(-1)
  return outer ? source(outer.at) : text
}

/** The pieces of a text; a value that was not put together is one piece. */
export const piecesOf = (value: AbstractValue): readonly (string | AbstractValue)[] =>
  typeof value.known === 'string' ? [value.known] : (value.pieces ?? [value])

/** All the text in it that is known, with a mark where something else stands. */
export const shapeOf = (value: AbstractValue): string =>
  piecesOf(value)
    .map((piece) => (typeof piece === 'string' ? piece : '\u0000'))
    .join('')

/** Whether what is tainted stands at the very beginning. */
export function isFromTheStart(value: AbstractValue): boolean {
  const [first] = piecesOf(value)
  return first === undefined || typeof first === 'string' ? shapeOf(value) === '' : first.taints.length > 0
}
