// Flows of custom rules: from sources that the organisation names to calls that it names.

import type { AbstractValue, Origin, Taint } from '../abstract-value.ts'
import { taintsOf } from '../engine/model-helpers.ts'
import { lastSegment } from '../engine/name-patterns.ts'
import { allTaints, sanitize, tainted } from '../engine/values/values.ts'
import type { CallModel, LanguageModel, NamePattern, SourceModel } from '../language-model.ts'
import type { CallEvent, Hit, Visitor } from '../rule.ts'
import type { SourceRange } from '../syntax/tree.ts'
import { callMatcher } from './call-name.ts'
import { type CustomRule, type FlowPattern, ORIGINS } from './custom-rule.ts'

const isOrigin = (from: string): from is Origin => ORIGINS.some((origin) => origin === from)

/** Needs nothing that the model of the language does not know. */
export const isPlainFlow = ({ from, sanitizers }: FlowPattern): boolean =>
  from.every(isOrigin) && sanitizers.length === 0

/** The rules whose source begins at a range. Flows keep the range of their first step. */
const sourceRules = new WeakMap<SourceRange, ReadonlySet<string>>()

export function withCustomFlows(model: LanguageModel, rules: readonly CustomRule[]): LanguageModel {
  const flows = rules.flatMap((rule) => ('flow' in rule ? [{ id: rule.id, flow: rule.flow }] : []))
  const rulesBySource = new Map<NamePattern, Set<string>>()
  for (const { id, flow } of flows)
    for (const from of flow.from)
      if (!isOrigin(from)) rulesBySource.set(from, (rulesBySource.get(from) ?? new Set()).add(id))
  const cleaners = [...new Set(flows.flatMap(({ flow }) => flow.sanitizers))]
  const cleanerNames = new Set(cleaners.map(lastSegment))
  const extend = (base: LanguageModel): LanguageModel => ({
    ...base,
    sources: [...[...rulesBySource].map(([name, ids]) => memberSource(name, ids)), ...base.sources],
    calls: [
      ...[...rulesBySource].map(([name, ids]) => callSource(name, ids)),
      ...cleaners.map(
        (name): CallModel => ({ name, returns: (event) => sanitize({ taints: taintsOf(event) }, ['all']) }),
      ),
      ...base.calls,
    ],
    // Functions of the scanned code are not looked up in the model.
    sanitizersByName: (name) => (cleanerNames.has(name) ? ['all'] : (base.sanitizersByName?.(name) ?? [])),
  })
  const { withResources } = model
  return {
    ...extend(model),
    ...(withResources && { withResources: (files) => extend(withResources(files)) }),
  }
}

function marked(at: SourceRange, ids: ReadonlySet<string>): SourceRange {
  const range = { ...at }
  sourceRules.set(range, ids)
  return range
}

const memberSource = (name: NamePattern, ids: ReadonlySet<string>): SourceModel => ({
  name,
  origin: 'request',
  rangeOf: (at) => marked(at, ids),
})

const LABEL_LENGTH_MAX = 60

const callSource = (name: NamePattern, ids: ReadonlySet<string>): CallModel => ({
  name,
  returns: ({ source, expr, path }) =>
    tainted(
      'request',
      source(expr.at).replace(/\s+/g, ' ').slice(0, LABEL_LENGTH_MAX),
      marked(expr.at, ids),
      path,
    ),
})

export function flowVisitor(ruleId: string, { from, to }: FlowPattern): Visitor {
  const origins = new Set<string>(from.filter(isOrigin))
  const isSource = ({ origin, steps, sanitizedFor }: Taint): boolean => {
    if (sanitizedFor.has('all')) return false
    const [first] = steps
    const ids = first && sourceRules.get(first.at)
    return ids ? ids.has(ruleId) : origins.has(origin)
  }
  const sinks = to.map((sink) => ({ isSink: callMatcher([sink.call]), positions: sink.arguments }))
  return {
    call(event) {
      for (const { isSink, positions } of sinks) {
        if (!isSink(event)) continue
        const hit = flowInto(event, positions, isSource)
        if (hit) return hit
      }
      return undefined
    },
  }
}

function flowInto(
  event: CallEvent,
  positions: readonly number[] | undefined,
  isSource: (taint: Taint) => boolean,
): Hit | undefined {
  const values = positions
    ? positions.flatMap((index) => event.arg(index)?.value ?? [])
    : event.args.map(({ value }) => value)
  const taint = values.flatMap((value: AbstractValue) => allTaints(value)).find(isSource)
  if (!taint) return undefined
  return { at: event.expr.at, flow: taint.steps }
}
