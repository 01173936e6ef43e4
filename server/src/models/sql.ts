// SQL of providers, models and prices.
import type { UserId } from '../kernel/ids.ts'
import type { Sql, Tx } from '../platform/db/tx.ts'
import type { ProviderWire } from '../platform/inference/inference.ts'
import type { PageOfTexts, SealedText } from '../platform/sealed-data.ts'
import type { ClassPrices } from '../wallet/wallet.ts'

export type Lane = 'open' | 'frontier'
export type Capability = 'tools' | 'images' | 'reasoning' | 'cache'

export type StoredProvider = {
  id: string
  name: string
  wire: ProviderWire
  baseUrl: string
  sealedKey: string | null
  keyLast4: string | null
  region: string | null
  weight: number
  enabled: boolean
}

export type StoredModel = {
  id: string
  title: string
  lane: Lane
  contextTokens: number
  outputTokens: number
  capabilities: Capability[]
  aliases: string[]
  enabled: boolean
}

export type StoredRoute = {
  modelId: string
  /** Null: the built-in provider. */
  providerId: string | null
  upstreamModel: string
  priority: number
  weight: number
}

export type StoredPrice = ClassPrices & { modelId: string; version: number; since: Date }

export const readRevision = (sql: Sql) => sql.one<{ revision: bigint }>`select revision from model_revision`

export function readProviders(sql: Sql): Promise<StoredProvider[]> {
  return sql.rows<StoredProvider>`
    select id, name, wire, base_url as "baseUrl", api_key_sealed as "sealedKey", key_last4 as "keyLast4", region, weight,
           enabled
    from providers order by created_at, id`
}

export function readModels(sql: Sql): Promise<StoredModel[]> {
  return sql.rows<StoredModel>`
    select id, title, lane, context_tokens as "contextTokens", output_tokens as "outputTokens", capabilities, aliases,
           enabled
    from models order by id`
}

/** The routes of models and lanes, in the order of each. */
export function readRoutes(sql: Sql): Promise<StoredRoute[]> {
  return sql.rows<StoredRoute>`
    select model_id as "modelId", provider_id as "providerId", upstream_model as "upstreamModel", priority, weight
    from model_routes order by model_id, position`
}

/** The price in force of every model. */
export function readPrices(sql: Sql): Promise<StoredPrice[]> {
  return sql.rows<StoredPrice>`
    select distinct on (model_id) model_id as "modelId", version, input, output, cached_input as "cachedInput",
           cache_write as "cacheWrite", since
    from model_prices where model_id in (select id from models) order by model_id, version desc`
}

/** Serialises changes, so that each sees the values that it replaces. */
export const lockForChange = (tx: Tx): Promise<void> => tx.lock('models')

export async function insertProvider(tx: Tx, provider: StoredProvider, by: UserId): Promise<void> {
  const { id, name, wire, baseUrl, sealedKey, keyLast4, region, weight, enabled } = provider
  await tx.rows`
    insert into providers (id, name, wire, base_url, api_key_sealed, key_last4, region, weight, enabled, created_at,
      updated_at, updated_by)
    values (${id}, ${name}, ${wire}, ${baseUrl}, ${sealedKey}, ${keyLast4}, ${region}, ${weight}, ${enabled}, ${tx.now},
      ${tx.now}, ${by})`
}

export async function updateProvider(tx: Tx, provider: StoredProvider, by: UserId): Promise<void> {
  const { id, name, wire, baseUrl, sealedKey, keyLast4, region, weight, enabled } = provider
  await tx.rows`
    update providers set name = ${name}, wire = ${wire}, base_url = ${baseUrl}, api_key_sealed = ${sealedKey},
      key_last4 = ${keyLast4}, region = ${region}, weight = ${weight}, enabled = ${enabled}, updated_at = ${tx.now},
      updated_by = ${by}
    where id = ${id}`
}

export async function deleteProvider(tx: Tx, id: string): Promise<void> {
  await tx.rows`delete from providers where id = ${id}`
}

export async function saveModel(tx: Tx, model: StoredModel, by: UserId): Promise<void> {
  const { id, title, lane, contextTokens, outputTokens, capabilities, aliases, enabled } = model
  await tx.rows`
    insert into models (id, title, lane, context_tokens, output_tokens, capabilities, aliases, enabled, created_at,
      updated_at, updated_by)
    values (${id}, ${title}, ${lane}, ${contextTokens}, ${outputTokens}, ${capabilities}::text[], ${aliases}::text[],
      ${enabled}, ${tx.now}, ${tx.now}, ${by})
    on conflict (id) do update set title = excluded.title, lane = excluded.lane, context_tokens = excluded.context_tokens,
      output_tokens = excluded.output_tokens, capabilities = excluded.capabilities, aliases = excluded.aliases,
      enabled = excluded.enabled, updated_at = excluded.updated_at, updated_by = excluded.updated_by`
}

export async function deleteModel(tx: Tx, id: string): Promise<void> {
  await tx.rows`delete from model_routes where model_id = ${id}`
  await tx.rows`delete from models where id = ${id}`
}

/** Replaces the routes of a model or lane. */
export async function saveRoutes(tx: Tx, modelId: string, routes: readonly StoredRoute[]): Promise<void> {
  await tx.rows`delete from model_routes where model_id = ${modelId}`
  await tx.rows`
    insert into model_routes (model_id, position, provider_id, upstream_model, priority, weight)
    select ${modelId}, position - 1, provider_id, upstream_model, priority, weight
    from unnest(${routes.map((route) => route.providerId)}::text[], ${routes.map((route) => route.upstreamModel)}::text[],
      ${routes.map((route) => route.priority)}::integer[], ${routes.map((route) => route.weight)}::integer[])
      with ordinality as given (provider_id, upstream_model, priority, weight, position)`
}

/** The last price of a model, also of a deleted one. */
export function lastPrice(tx: Tx, modelId: string): Promise<StoredPrice | undefined> {
  return tx.maybe<StoredPrice>`
    select model_id as "modelId", version, input, output, cached_input as "cachedInput", cache_write as "cacheWrite", since
    from model_prices where model_id = ${modelId} order by version desc limit 1`
}

export async function insertPrice(tx: Tx, price: StoredPrice, by: UserId): Promise<void> {
  const { modelId, version, input, output, cachedInput, cacheWrite, since } = price
  await tx.rows`
    insert into model_prices (model_id, version, input, output, cached_input, cache_write, since, created_by)
    values (${modelId}, ${version}, ${input}, ${output}, ${cachedInput}, ${cacheWrite}, ${since}, ${by})`
}

/** Keys of model providers that another service secret has sealed. Needs the platform scope. */
export const listProviderKeys = (tx: Tx, { keyId, after, limit }: PageOfTexts): Promise<SealedText[]> =>
  tx.rows<SealedText>`
    select id as id, api_key_sealed as sealed from providers
    where id > ${after} and not starts_with(api_key_sealed, ${keyId}) order by id limit ${limit}`

export const replaceProviderKeys = (tx: Tx, was: SealedText, sealed: string): Promise<object[]> =>
  tx.rows`update providers set api_key_sealed = ${sealed} where id = ${was.id} and api_key_sealed = ${was.sealed}`
