// Public API of flags: which features are on for an organisation.
import { present } from '../kernel/assert.ts'
import type { App } from '../platform/app.ts'
import { evaluate, type FlagContext, type FlagValue } from './evaluate.ts'
import { type FlagStore, openFlagStore } from './store.ts'

export type { FlagContext } from './evaluate.ts'

/**
 * Whether a feature is on for an organisation. Reads memory, which is at most a few seconds old. Unknown
 * flags are off.
 */
export function isEnabled(app: App, org: FlagContext, key: string): boolean {
  const flag = getStore(app).find(key)
  return flag !== undefined && evaluate(flag, org).enabled
}

export type EvaluatedFlag = FlagValue & { readonly key: string }

/** Every flag evaluated for an organisation, ordered by key. */
export const evaluateFlags = (app: App, org: FlagContext): EvaluatedFlag[] =>
  getStore(app)
    .all()
    .map((flag) => ({ key: flag.key, ...evaluate(flag, org) }))

const stores = new WeakMap<App, FlagStore>()

/** The flags in this replica's memory, loaded at start. */
export const getStore = (app: App): FlagStore => present(stores.get(app), 'flags are loaded at start')

export async function startFlags(app: App): Promise<() => void> {
  const store = await openFlagStore(app.db, app.log)
  stores.set(app, store)
  return () => store.close()
}
