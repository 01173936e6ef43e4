// The taint query that most rules use.

import type { AbstractValue, SinkKind, Taint } from '../../abstract-value.ts'
import { isType } from '../../engine/name-patterns.ts'
import { allTaints } from '../../engine/values/values.ts'
import type { CallEvent, EventContext, Hit } from '../../rule.ts'
import type { SourceRange } from '../../syntax/tree.ts'

type FlowOptions = {
  readonly sinks: readonly SinkKind[]
  /** Also reports parameters of public methods. */
  readonly isForParameters?: boolean
  /** The number of unknown functions the value may have passed through. */
  readonly unknownCallsMax?: number
  /** Also inspects lists and objects. */
  readonly isDeep?: boolean
}

/** The hit for the worst taint. A request is certain, a parameter is likely. */
export function flowHit(
  at: SourceRange,
  value: AbstractValue | undefined,
  options: FlowOptions,
): Hit | undefined {
  const taint = value && findTaint(value, options)
  if (!taint) return undefined
  const isCertain = taint.origin === 'request' && taint.unknownCalls === 0
  return {
    at,
    confidence: isCertain ? 'high' : 'medium',
    detail: `\`${taint.label}\` reaches this point.`,
    flow: taint.steps,
  }
}

export function findTaint(
  value: AbstractValue,
  { sinks, isForParameters = false, isDeep = false, unknownCallsMax = 0 }: FlowOptions,
): Taint | undefined {
  const taints = isDeep ? allTaints(value) : value.taints
  return taints.find(({ origin, sanitizedFor, unknownCalls }) => {
    const isOurs = origin !== 'request' && !(isForParameters && origin === 'parameter' && unknownCalls === 0)
    return (
      !isOurs &&
      unknownCalls <= unknownCallsMax &&
      !sanitizedFor.has('all') &&
      !sinks.some((each) => sanitizedFor.has(each))
    )
  })
}

/** Whether the call is a method of one of these types. False if the type of the receiver is unknown. */
export function isMethodOf(
  { receiver, method }: CallEvent,
  types: readonly string[],
  methods: RegExp,
): boolean {
  return methods.test(method) && types.some((type) => isType(receiver?.type, type))
}

/** The text of the enclosing method, or of the file at top level. */
export function enclosingText({ functions, source, text }: EventContext): string {
  const outer = functions.at(-1)
  return outer ? source(outer.at) : text
}

/** The parts of a string. A value that is not a concatenation is one part. */
export const piecesOf = (value: AbstractValue): readonly (string | AbstractValue)[] =>
  typeof value.known === 'string' ? [value.known] : (value.pieces ?? [value])

/** The constant text, with a placeholder for other parts. */
export const constantText = (value: AbstractValue): string =>
  piecesOf(value)
    .map((piece) => (typeof piece === 'string' ? piece : '\u0000'))
    .join('')

/** Whether the first part is tainted. */
export function startsTainted(value: AbstractValue): boolean {
  const [first] = piecesOf(value)
  return first === undefined || typeof first === 'string'
    ? constantText(value) === ''
    : first.taints.length > 0
}
