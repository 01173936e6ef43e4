// Lists and changes the models of the catalogue and the further routes of lanes, on behalf of staff.
import { isDeepStrictEqual } from 'node:util'
import { present } from '../../kernel/assert.ts'
import { ApiError, type Field, invalidFields } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Sql, Tx } from '../../platform/db/tx.ts'
import type { ClassPrices } from '../../wallet/wallet.ts'
import { DEFAULT_PROVIDER_ID } from '../catalogue/catalogue.ts'
import { LANES, type LaneRoutes, type Model, type ModelBody } from '../schema.ts'
import * as sql from '../sql.ts'
import { type ChangeAuthor, change, recordChange, requireSuperAdmin } from './change.ts'
import { requireFreeNames, requireModelId } from './names.ts'
import { readModel, readPrice } from './read-model.ts'

const MODELS_MAX = 500

export async function listModels(app: App): Promise<{ models: Model[]; lanes: LaneRoutes[] }> {
  return app.db.tx('platform', async (tx) => {
    const stored = await readCatalogue(tx)
    const lanes = LANES.map((id) => ({ id, routes: routesOf(stored, id) }))
    return { models: stored.models.map((model) => toApiModel(stored, model)), lanes }
  })
}

/** Creates or replaces a model, or the further routes of a lane. */
export function saveModel(
  app: App,
  by: ChangeAuthor,
  id: string,
  body: ModelBody,
): Promise<Model | LaneRoutes> {
  const lane = LANES.find((each) => each === id)
  if (lane) return saveLane(app, by, lane, body)
  requireModelId(id)
  const model = readModel(id, body)
  const price = readPrice(body)
  return change(app, async (tx) => {
    const before = await readCatalogue(tx)
    const known = before.models.find((each) => each.id === id)
    if (!known && before.models.length >= MODELS_MAX)
      throw new ApiError('limit_reached', {
        error: `There are ${MODELS_MAX} models, the maximum. Delete one first.`,
      })
    requireFreeNames(before.models, model)
    const routes = await readRoutes(tx, id, body)
    const isPriced = await savePrice(tx, by, id, price)
    await sql.saveModel(tx, model, by.actor.userId)
    await sql.saveRoutes(tx, id, routes)
    const after = await readCatalogue(tx)
    const [old, saved] = [known && toApiModel(before, known), toApiModel(after, model)]
    if (isPriced || !isDeepStrictEqual(old, saved))
      await recordChange(tx, by, 'admin.models.set', id, { before: old ?? null, after: saved })
    return saved
  })
}

/** Deletes a model. Its prices stay, because charges refer to them. */
export async function deleteModel(app: App, by: ChangeAuthor, id: string): Promise<{ ok: true }> {
  if (LANES.some((lane) => lane === id))
    throw new ApiError('built_in', {
      error: `The lane ${id} cannot be deleted. To remove its further routes, put an empty list of routes.`,
    })
  await change(app, async (tx) => {
    const before = await readCatalogue(tx)
    const known = before.models.find((each) => each.id === id)
    if (!known) throw new ApiError('not_found')
    await sql.deleteModel(tx, id)
    await recordChange(tx, by, 'admin.models.delete', id, { before: toApiModel(before, known) })
  })
  return { ok: true }
}

function saveLane(app: App, by: ChangeAuthor, id: sql.Lane, body: ModelBody): Promise<LaneRoutes> {
  const { routes: _, ...others } = body
  const extra = Object.entries(others).filter(([, value]) => value !== undefined)
  if (extra.length > 0)
    throw invalidFields(
      ...extra.map(([path]): Field => ({ path, message: `does not belong to the lane ${id}: ${LANE_NOTE}` })),
    )
  return change(app, async (tx) => {
    const before = routesOf(await readCatalogue(tx), id)
    await sql.saveRoutes(tx, id, await readRoutes(tx, id, body))
    const after = routesOf(await readCatalogue(tx), id)
    if (!isDeepStrictEqual(before, after))
      await recordChange(tx, by, 'admin.models.set', id, {
        before: { routes: before },
        after: { routes: after },
      })
    return { id, routes: after }
  })
}

const LANE_NOTE = 'its model and price are settings, and only its further routes are set here'

/** Adds a version when the price differs from the last one. */
async function savePrice(tx: Tx, by: ChangeAuthor, modelId: string, price: ClassPrices): Promise<boolean> {
  const last = await sql.lastPrice(tx, modelId)
  if (last && isSamePrice(last, price)) return false
  requireSuperAdmin(by, 'the price of a model')
  await sql.insertPrice(
    tx,
    { ...price, modelId, version: (last?.version ?? 0) + 1, since: tx.now },
    by.actor.userId,
  )
  return true
}

const isSamePrice = (one: ClassPrices, other: ClassPrices): boolean =>
  one.input === other.input &&
  one.output === other.output &&
  one.cachedInput === other.cachedInput &&
  one.cacheWrite === other.cacheWrite

/** The routes for the database. Rejects unknown providers and repeated routes. */
async function readRoutes(tx: Tx, modelId: string, { routes }: ModelBody): Promise<sql.StoredRoute[]> {
  const known = new Set((await sql.readProviders(tx)).map(({ id }) => id)).add(DEFAULT_PROVIDER_ID)
  const seen = new Map<string, number>()
  const problems = routes.flatMap(({ providerId, upstreamModel }, index): Field[] => {
    if (!known.has(providerId))
      return [{ path: `routes.${index}.providerId`, message: 'must be the id of a provider' }]
    const name = `${providerId}/${upstreamModel}`
    const first = seen.get(name)
    seen.set(name, first ?? index)
    return first === undefined ? [] : [{ path: `routes.${index}`, message: `repeats routes.${first}` }]
  })
  if (problems.length > 0) throw invalidFields(...problems)
  return routes.map(({ providerId, ...route }) => ({
    ...route,
    modelId,
    providerId: providerId === DEFAULT_PROVIDER_ID ? null : providerId,
  }))
}

type StoredCatalogue = {
  models: sql.StoredModel[]
  routes: Map<string, sql.StoredRoute[]>
  prices: Map<string, sql.StoredPrice>
}

async function readCatalogue(tx: Sql): Promise<StoredCatalogue> {
  return {
    models: await sql.readModels(tx),
    routes: Map.groupBy(await sql.readRoutes(tx), ({ modelId }) => modelId),
    prices: new Map((await sql.readPrices(tx)).map((price) => [price.modelId, price])),
  }
}

const routesOf = ({ routes }: StoredCatalogue, id: string) =>
  (routes.get(id) ?? []).map(({ providerId, upstreamModel, priority, weight }) => ({
    providerId: providerId ?? DEFAULT_PROVIDER_ID,
    upstreamModel,
    priority,
    weight,
  }))

function toApiModel(stored: StoredCatalogue, model: sql.StoredModel): Model {
  const { input, output, cachedInput, cacheWrite, version, since } = present(
    stored.prices.get(model.id),
    'every model has a price',
  )
  return {
    ...model,
    routes: routesOf(stored, model.id),
    price: { input, output, cachedInput, cacheWrite },
    priceVersion: version,
    priceSince: since,
  }
}
