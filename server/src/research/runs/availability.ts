// Checks whether an organisation can start runs here, and what is missing.
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { budgetCeiling, computeReserve } from '../pricing/estimates.ts'
import { currentLaneMode, routeTurn } from '../pricing/turn-lanes-sizes.ts'
import { createSearchClient } from '../search/search.ts'
import { researchSettings } from '../settings.ts'
import type { TurnPurpose } from '../types.ts'

export const REQUIREMENTS = ['search', 'storage', 'inference', 'budget'] as const
export type Requirement = (typeof REQUIREMENTS)[number]
export type Availability = {
  readonly available: boolean
  readonly missing: readonly Requirement[]
  readonly enabled: boolean
}

export async function checkAvailability(app: App, org: Actor['org']): Promise<Availability> {
  const enabled = app.settings.get(researchSettings.settings.research_enabled)
  const missing: Requirement[] = []
  if (createSearchClient(app.config) === null) missing.push('search')
  if (!(await canStore(app))) missing.push('storage')
  if (!canInfer(app, org)) missing.push('inference')
  if (!canPay(app, org)) missing.push('budget')
  return { available: enabled && missing.length === 0, missing, enabled }
}

const PURPOSES: readonly TurnPurpose[] = ['plan', 'report']

/** Checks both lanes that a run can use. A region without a cleared model has none. */
function canInfer(app: App, org: Actor['org']): boolean {
  try {
    for (const purpose of PURPOSES) routeTurn(app, org, currentLaneMode(app), purpose)
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** Whether the budget ceiling pays for the smallest run. */
function canPay(app: App, org: Actor['org']): boolean {
  const budgetMinor = budgetCeiling(app)
  const input = { depth: 'quick', laneMode: currentLaneMode(app), budgetMinor } as const
  return budgetMinor >= computeReserve(app, org, input).leastRunMinor
}

type StorageCheck = { readonly atMs: number; readonly can: Promise<boolean> }

// Many page views ask for this, so the storage check is cached.
const STORAGE_CHECK_MS = 10_000
const storageChecks = new WeakMap<Storage, StorageCheck>()

function canStore({ storage, log }: App): Promise<boolean> {
  const before = storageChecks.get(storage)
  if (before && performance.now() - before.atMs < STORAGE_CHECK_MS) return before.can
  const can = storage.check().then(
    () => true,
    (error: unknown) => {
      log.warn({ err: error }, 'research.storage.unavailable')
      return false
    },
  )
  storageChecks.set(storage, { atMs: performance.now(), can })
  return can
}
