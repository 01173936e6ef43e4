// The catalogue in memory. Requests read memory; the database is read only after a change.
import { present } from '../../kernel/assert.ts'
import type { App } from '../../platform/app.ts'
import { createCacheRefresher } from '../../platform/db/cache-refresh.ts'
import type { Db } from '../../platform/db/tx.ts'
import type { Target } from '../../platform/inference/inference.ts'
import type { Log } from '../../platform/log/log.ts'
import { sealedColumn } from '../../platform/sealed-data.ts'
import { type Secrets, UnsealError } from '../../platform/secrets.ts'
import * as sql from '../sql.ts'
import { builtInProvider } from '../upstream.ts'
import { type Catalogue, type CatalogueRows, compileCatalogue, type Provider } from './catalogue.ts'

export type CatalogueStore = {
  /** The compiled catalogue with the built-in provider of the settings. */
  withBuiltIn(builtIn: Provider | null): Catalogue
  /** Resolves when this replica has read everything committed before the call. Never rejects. */
  refresh(): Promise<void>
  close(): void
}

export type StoreContext = {
  readonly db: Db
  readonly secrets: Secrets
  readonly log: Log
  /** Called with the ids of providers whose address, format or key has changed. */
  readonly onProvidersChanged: (ids: readonly string[]) => void
}

const REFRESH_MS = 5_000
const READS_MAX = 5
const NO_ROWS: CatalogueRows = { providers: [], models: [], routes: [], prices: [] }

/** Reads everything once, then follows changes. Keeps the last state while the database is unreachable. */
export async function openCatalogueStore(
  context: StoreContext,
  refreshMs = REFRESH_MS,
): Promise<CatalogueStore> {
  const { db, log, onProvidersChanged } = context
  let rows = NO_ROWS
  let lastRevision = -1n
  let compiled: { builtIn: Provider | null; catalogue: Catalogue } | null = null
  const applyFirst = await read()
  applyFirst()

  const fresh = createCacheRefresher(db, { log, topic: 'models', everyMs: refreshMs, read })

  async function read(): Promise<() => void> {
    const { revision } = await sql.readRevision(db.direct)
    if (revision === lastRevision) return () => {}
    const found = await readConsistently(context, revision)
    return () => {
      const changed = changedProviders(rows.providers, found.rows.providers)
      rows = found.rows
      lastRevision = found.revision
      compiled = null
      if (changed.length > 0) onProvidersChanged(changed)
    }
  }

  return {
    withBuiltIn(builtIn) {
      if (!compiled || !isSameBuiltIn(compiled.builtIn, builtIn))
        compiled = { builtIn, catalogue: compileCatalogue(rows, builtIn) }
      return compiled.catalogue
    },
    refresh: fresh.refresh,
    close: fresh.close,
  }
}

/** Reads the tables again when a change was committed meanwhile, so that models and routes fit together. */
async function readConsistently(
  { db, secrets, log }: StoreContext,
  before: bigint,
): Promise<{ rows: CatalogueRows; revision: bigint }> {
  for (let revision = before, attempt = 1; ; attempt++) {
    const [providers, models, routes, prices] = [
      await sql.readProviders(db.direct),
      await sql.readModels(db.direct),
      await sql.readRoutes(db.direct),
      await sql.readPrices(db.direct),
    ]
    const { revision: after } = await sql.readRevision(db.direct)
    if (after === revision || attempt === READS_MAX) {
      const opened = providers.map((provider) => openProvider(secrets, log, provider))
      return { rows: { providers: opened, models, routes, prices }, revision }
    }
    revision = after
  }
}

/** A key that cannot be decrypted counts as no key: the provider rejects the calls, and its health shows it. */
function openProvider(secrets: Secrets, log: Log, { sealedKey, ...provider }: sql.StoredProvider): Provider {
  const { id, baseUrl, wire } = provider
  const apiKey = sealedKey === null ? '' : openKey(secrets, log, id, sealedKey)
  return { ...provider, target: { baseUrl, apiKey, wire } }
}

function openKey(secrets: Secrets, log: Log, providerId: string, sealed: string): string {
  try {
    return secrets.open(sealed, keyContext(providerId))
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error
    log.error({ providerId }, 'models.provider.key_unreadable')
    return ''
  }
}

/** The sealed key is bound to its provider, so that it cannot be moved to another row. */
export const keyContext = (providerId: string): string => `provider|${providerId}`

export const sealedProviderKeys = sealedColumn({
  name: 'providers.api_key_sealed',
  list: sql.listProviderKeys,
  replace: sql.replaceProviderKeys,
  contextOf: keyContext,
})

const isSameTarget = (one: Target, other: Target): boolean =>
  one.baseUrl === other.baseUrl && one.apiKey === other.apiKey && one.wire === other.wire

const isSameBuiltIn = (one: Provider | null, other: Provider | null): boolean =>
  one === other || (one !== null && other !== null && isSameTarget(one.target, other.target))

function changedProviders(before: readonly Provider[], after: readonly Provider[]): string[] {
  const known = new Map(before.map(({ id, target }) => [id, target]))
  return after.flatMap(({ id, target }) => {
    const old = known.get(id)
    return old && !isSameTarget(old, target) ? [id] : []
  })
}

// By database, because a test may run the same service with another configuration.
const stores = new WeakMap<Db, CatalogueStore>()

export const setStore = (app: App, store: CatalogueStore): void => void stores.set(app.db, store)
export const getStore = (app: App): CatalogueStore =>
  present(stores.get(app.db), 'the catalogue is loaded at start')

/** The catalogue in force, at most a few seconds old. */
export const catalogueOf = (app: App): Catalogue => getStore(app).withBuiltIn(builtInProvider(app))
