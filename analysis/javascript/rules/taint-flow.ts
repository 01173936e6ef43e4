// Turns a tainted value into a hit with a confidence.

import type { AbstractValue, Origin, SinkKind, Taint } from '../../abstract-value.ts'
import { allTaints } from '../../engine/values/values.ts'
import type { Confidence, EventContext, Hit } from '../../rule.ts'
import type { SourceRange } from '../../syntax/tree.ts'

export type FlowOptions = {
  readonly sinks: readonly SinkKind[]
  /** Default: `request` only. */
  readonly origins?: readonly Origin[]
  /** Labels that are excluded. */
  readonly except?: RegExp
  /** Also inspects members and items. */
  readonly isDeep?: true
  /** Accepts this many unknown calls for any origin. */
  readonly unknownCallsMax?: number
}

/** The hit for a tainted value, or undefined. */
export function flowHit(
  at: SourceRange,
  value: AbstractValue | undefined,
  options: FlowOptions,
): Hit | undefined {
  const taint = value && findTaint(value, options)
  if (!taint) return undefined
  return {
    at,
    confidence: confidenceOf(taint),
    detail: `\`${taint.label}\` reaches this point.`,
    flow: taint.steps,
  }
}

export function findTaint(
  value: AbstractValue,
  { sinks, origins = ['request'], except, isDeep, unknownCallsMax }: FlowOptions,
): Taint | undefined {
  const taints = isDeep ? allTaints(value) : value.taints
  return taints.find(
    ({ origin, label, sanitizedFor, unknownCalls }) =>
      origins.includes(origin) &&
      !except?.test(label) &&
      !sanitizedFor.has('all') &&
      !sinks.some((each) => sanitizedFor.has(each)) &&
      unknownCalls <= (unknownCallsMax ?? UNKNOWN_CALLS_MAX[origin] ?? 0),
  )
}

/** A parameter of a library may be anything, and two unknown calls make the flow a guess. */
const UNKNOWN_CALLS_MAX: Partial<Record<Origin, number>> = { request: 1, parameter: 0 }

function confidenceOf({ origin, unknownCalls }: Taint): Confidence {
  return origin === 'request' && unknownCalls === 0 ? 'high' : 'medium'
}

/** A file whose exports are the interface of a package. Exports of deeper files mostly serve the package itself. */
export const isEntryFile = (path: string): boolean =>
  /^(?:(?:lib|src)\/)?[^/]+(?<!\.config)\.[cm]?[jt]sx?$/.test(path)

/** Command-line tools, build scripts and generators: their arguments come from the developer who runs them. */
export const isDeveloperTool = (path: string): boolean => DEVELOPER_TOOL.test(path)
const DEVELOPER_TOOL =
  /(?:^|\/)(?:bin|cli|commands?|tools?|scripts?|tasks?|generators?)\/|(?:^|\/)(?:gulpfile|gruntfile|rollup|webpack|cli|install|postinstall|release)\b[\w.-]*\.[cm]?[jt]s$/

/** The text before a position in the enclosing functions, to find checks that leave no trace in the value. */
export function textBefore({ functions, text }: EventContext, at: SourceRange): string {
  const outermost = functions.at(-1)
  return text.slice(outermost?.at.start ?? Math.max(0, at.start - 4000), at.start)
}

/** The constant text at the start of a value. */
export function constantPrefix({ pieces, known }: AbstractValue): string {
  if (typeof known === 'string') return known
  const first = pieces?.[0]
  return typeof first === 'string' ? first : ''
}

/** The constant parts, joined. */
export function constantText({ pieces, known }: AbstractValue): string {
  if (typeof known === 'string') return known
  return pieces?.map((piece) => (typeof piece === 'string' ? piece : ' ')).join('') ?? ''
}
