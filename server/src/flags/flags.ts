// Flags: which features an organisation sees. All that the rest of the server may ask.
import { present } from '../kernel/assert.ts'
import type { App } from '../platform/app.ts'
import { evaluate, type FlagContext, type FlagValue } from './evaluate.ts'
import { type FlagStore, openFlagStore } from './store.ts'

export type { FlagContext } from './evaluate.ts'

/** Whether a feature is on for an organisation: from memory, a few seconds behind the database at most. Unknown is off. */
export function isEnabled(app: App, org: FlagContext, key: string): boolean {
  const flag = getStore(app).find(key)
  return flag !== undefined && evaluate(flag, org).enabled
}

export type EvaluatedFlag = FlagValue & { readonly key: string }

/** Every flag as this organisation sees it, in the order of their keys. */
export const evaluateFlags = (app: App, org: FlagContext): EvaluatedFlag[] =>
  getStore(app)
    .all()
    .map((flag) => ({ key: flag.key, ...evaluate(flag, org) }))

const stores = new WeakMap<App, FlagStore>()

/** What this replica keeps in memory, filled when it started. */
export const getStore = (app: App): FlagStore => present(stores.get(app), 'flags are read at the start')

export async function startFlags(app: App): Promise<() => void> {
  const store = await openFlagStore(app.db, app.log)
  stores.set(app, store)
  return () => store.close()
}
