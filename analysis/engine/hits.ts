// The hits of a scan. Which functions only the project calls is known at the end, so the best hit of each is kept.

import type { FunctionDefinition } from '../ir.ts'
import type { Confidence } from '../rule.ts'
import type { HitTable, ReportedHit } from './machine.ts'

/** `place` is the same for the same rule and position. */
export function addHit(hits: HitTable, place: string, reported: ReportedHit): void {
  const all = hits.get(place)
  if (!all) {
    hits.set(place, [reported])
    return
  }
  const index = all.findIndex(({ owner }) => owner === reported.owner)
  const before = all[index]
  if (!before) all.push(reported)
  else if (sureness(before) < sureness(reported)) all[index] = reported
}

/** The surest hit at each position that does not start at a function that only the project calls. */
export const bestHits = (hits: HitTable, internallyCalled: ReadonlySet<FunctionDefinition>): ReportedHit[] =>
  [...hits.values()].flatMap((all) => {
    const open = all.filter(({ owner }) => owner === undefined || !internallyCalled.has(owner))
    const [first, ...others] = open
    return first
      ? [others.reduce((best, each) => (sureness(each) > sureness(best) ? each : best), first)]
      : []
  })

const CONFIDENCE_ORDER: readonly Confidence[] = ['low', 'medium', 'high']

const sureness = ({ hit, rule }: ReportedHit): number =>
  CONFIDENCE_ORDER.indexOf(hit.confidence ?? rule.confidence)
