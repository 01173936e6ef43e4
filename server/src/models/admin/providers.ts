// Lists and changes providers on behalf of staff.
import { isDeepStrictEqual } from 'node:util'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { ProviderWire } from '../../platform/inference/inference.ts'
import { hostOf, parseUpstreamUrl } from '../../platform/settings/upstream-url.ts'
import { DEFAULT_PROVIDER_ID } from '../catalogue/catalogue.ts'
import { keyContext } from '../catalogue/store.ts'
import { describeHealth, healthByProvider } from '../health/health.ts'
import { deleteHealth, type StoredHealth } from '../health/health-sql.ts'
import { lastCharacters } from '../key-hint.ts'
import type { NewProvider, Provider, ProviderChange } from '../schema.ts'
import * as sql from '../sql.ts'
import { BUILT_IN_NAME, builtInProvider, DEFAULT_WEIGHT, hasUpstream } from '../upstream.ts'
import { type ChangeAuthor, change, recordChange, requireSuperAdmin } from './change.ts'

const PROVIDERS_MAX = 100

type ProviderFields = Omit<sql.StoredProvider, 'sealedKey'>

/** The built-in provider comes first, then the others in the order of their creation. */
export async function listProviders(app: App): Promise<{ providers: Provider[] }> {
  const health = await healthByProvider(app)
  const stored = await sql.readProviders(app.db.direct)
  const others = stored.map((provider) => toApiProvider(provider, health.get(provider.id)))
  return { providers: [describeBuiltIn(app, health.get(DEFAULT_PROVIDER_ID)), ...others] }
}

export async function createProvider(app: App, by: ChangeAuthor, body: NewProvider): Promise<Provider> {
  requireSuperAdmin(by, 'the address, region and key of a provider')
  const { apiKey, baseUrl, ...fields } = body
  const id = newId('prv')
  const provider = {
    ...fields,
    id,
    baseUrl: readBaseUrl(baseUrl, body.wire),
    ...sealKey(app, id, apiKey ?? ''),
  }
  await change(app, async (tx) => {
    const others = await sql.readProviders(tx)
    if (others.length >= PROVIDERS_MAX)
      throw new ApiError('limit_reached', {
        error: `There are ${PROVIDERS_MAX} providers, the maximum. Delete one first.`,
      })
    requireFreeName(others, provider)
    await sql.insertProvider(tx, provider, by.actor.userId)
    await recordChange(tx, by, 'admin.providers.create', id, { after: toAuditDetails(provider) })
  })
  return toApiProvider(provider, undefined)
}

/** A new address, format or key makes the health unknown. A new host without a new key clears the key. */
export async function changeProvider(
  app: App,
  by: ChangeAuthor,
  id: string,
  body: ProviderChange,
): Promise<Provider> {
  rejectBuiltIn(id)
  const saved = await change(app, async (tx) => {
    const others = await sql.readProviders(tx)
    const before = others.find((each) => each.id === id)
    if (!before) throw new ApiError('not_found')
    const after = applyChange(app, before, body)
    requireFreeName(others, after)
    if (isDeepStrictEqual(before, after)) return before
    const isMoved = hasOtherTarget(before, after)
    // The region decides which organisations send their content there.
    if (isMoved || before.region !== after.region)
      requireSuperAdmin(by, 'the address, region and key of a provider')
    await sql.updateProvider(tx, after, by.actor.userId)
    if (isMoved) await deleteHealth(tx, id)
    await recordChange(tx, by, 'admin.providers.change', id, {
      before: toAuditDetails(before),
      after: toAuditDetails(after),
      keyChanged: before.sealedKey !== after.sealedKey,
    })
    return after
  })
  return toApiProvider(saved, (await healthByProvider(app)).get(id))
}

export async function deleteProvider(app: App, by: ChangeAuthor, id: string): Promise<{ ok: true }> {
  rejectBuiltIn(id)
  await change(app, async (tx) => {
    const before = (await sql.readProviders(tx)).find((each) => each.id === id)
    if (!before) throw new ApiError('not_found')
    await requireUnused(tx, id)
    await sql.deleteProvider(tx, id)
    await deleteHealth(tx, id)
    await recordChange(tx, by, 'admin.providers.delete', id, { before: toAuditDetails(before) })
  })
  return { ok: true }
}

async function requireUnused(tx: Tx, id: string): Promise<void> {
  const routes = (await sql.readRoutes(tx)).filter(({ providerId }) => providerId === id)
  const models = [...new Set(routes.map(({ modelId }) => modelId))]
  if (models.length > 0)
    throw new ApiError('provider_in_use', {
      error: `These models have a route to this provider: ${models.join(', ')}. Remove the routes first.`,
      models,
    })
}

function rejectBuiltIn(id: string): void {
  if (id === DEFAULT_PROVIDER_ID)
    throw new ApiError('built_in', {
      error:
        'The built-in provider follows the settings upstream_base_url and upstream_api_key. Change those with PUT /admin/settings/{key}.',
    })
}

function requireFreeName(others: readonly sql.StoredProvider[], { id, name }: sql.StoredProvider): void {
  const folded = name.toLowerCase()
  const isTaken = others.some((each) => each.id !== id && each.name.toLowerCase() === folded)
  if (isTaken || folded === BUILT_IN_NAME)
    throw new ApiError('name_taken', { error: `Another provider is called ${name}. Choose another name.` })
}

function applyChange(app: App, before: sql.StoredProvider, body: ProviderChange): sql.StoredProvider {
  const { apiKey, ...fields } = body
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const merged: sql.StoredProvider = { ...before, ...given }
  // Also checked when only the format changes, because each format has its own rules.
  const baseUrl = readBaseUrl(merged.baseUrl, merged.wire)
  const isOtherHost = hostOf(baseUrl) !== hostOf(before.baseUrl)
  const key =
    apiKey === undefined
      ? isOtherHost
        ? sealKey(app, before.id, '')
        : {}
      : sealKey(app, before.id, apiKey ?? '')
  return { ...merged, baseUrl, ...key }
}

const hasOtherTarget = (one: sql.StoredProvider, other: sql.StoredProvider): boolean =>
  one.baseUrl !== other.baseUrl || one.wire !== other.wire || one.sealedKey !== other.sealedKey

const sealKey = (app: App, id: string, key: string) => ({
  sealedKey: key === '' ? null : app.secrets.seal(key, keyContext(id)),
  keyLast4: lastCharacters(key),
})

const VERSION_SUFFIX: Readonly<Partial<Record<ProviderWire, RegExp>>> = {
  anthropic: /\/v1$/,
  gemini: /\/v1(beta)?$/,
}

/** The address without a trailing slash. The same hosts are allowed as for the setting `upstream_base_url`. */
function readBaseUrl(value: string, wire: ProviderWire): string {
  const url = parseUpstreamUrl(value)
  const reject = (message: string) => invalidFields({ path: 'baseUrl', message })
  if (!url)
    throw reject('must be an http or https URL without user name or password, whose host is not link-local')
  if (/[?#]/.test(value)) throw reject('must not have a query or fragment')
  const baseUrl = value.replace(/\/+$/, '')
  if (VERSION_SUFFIX[wire]?.test(baseUrl))
    throw reject(`must be the address without the version for a provider of the format ${wire}`)
  return baseUrl
}

function describeBuiltIn(app: App, stored: StoredHealth | undefined): Provider {
  const provider = builtInProvider(app)
  const health = describeHealth(provider !== null, hasUpstream(app) ? stored : undefined)
  return {
    id: DEFAULT_PROVIDER_ID,
    name: BUILT_IN_NAME,
    wire: 'openai',
    baseUrl: provider?.baseUrl ?? '',
    region: null,
    weight: DEFAULT_WEIGHT,
    enabled: provider !== null,
    builtIn: true,
    keyLast4: provider?.keyLast4 ?? null,
    health,
  }
}

function toApiProvider(provider: ProviderFields, stored: StoredHealth | undefined): Provider {
  const { id, name, wire, baseUrl, region, weight, enabled, keyLast4 } = provider
  const health = describeHealth(enabled, stored)
  return { id, name, wire, baseUrl, region, weight, enabled, builtIn: false, keyLast4, health }
}

/** Without the key: the audit log records only whether it changed. */
const toAuditDetails = ({ name, wire, baseUrl, region, weight, enabled }: sql.StoredProvider) => ({
  ...{ name, wire, baseUrl, region, weight, enabled },
})
