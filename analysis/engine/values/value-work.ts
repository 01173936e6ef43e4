// The work on values, as steps, and results that are asked many times.

import type { AbstractValue, Taint } from '../../abstract-value.ts'

/** Results of `itemsOf` and `allTaints`. Values do not change, and the same value is asked many times. */
type ValueCache = {
  readonly items: WeakMap<AbstractValue, AbstractValue>
  /** By depth. */
  readonly taints: readonly WeakMap<AbstractValue, readonly Taint[]>[]
}

export const TAINTS_DEPTH = 3
const newCache = (): ValueCache => ({
  items: new WeakMap(),
  taints: Array.from({ length: TAINTS_DEPTH + 1 }, () => new WeakMap()),
})

/** The work on values, counted in elements: a join of large values takes longer than a step. */
export const work = { elements: 0, joinMax: Number.POSITIVE_INFINITY, cache: newCache() }
const ELEMENTS_PER_STEP = 16

/** The steps for the work since the last call. */
export function takeValueSteps(): number {
  if (work.elements < ELEMENTS_PER_STEP) return 0
  const steps = Math.floor(work.elements / ELEMENTS_PER_STEP)
  work.elements = 0
  return steps
}

/** Counts the work on values as if nothing had run before, because its steps must not depend on other files. */
export function withOwnValueWork(run: () => void): void {
  const { elements } = work
  const outer = work.cache
  work.elements = 0
  work.cache = newCache()
  try {
    run()
  } finally {
    work.elements = elements
    work.cache = outer
  }
}
