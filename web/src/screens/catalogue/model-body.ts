// A model as the service takes it, and as the form gives it.
import type { AdminModelsSetBody, CatalogueModel } from '@cowrie/sdk'
import { problem } from '../../data/failure.ts'
import { t } from '../../i18n/t.ts'
import { textOf } from '../../ui/form/form.tsx'
import { listOf } from '../../ui/input/chips-field.tsx'

export type EditedModel = Omit<CatalogueModel, 'priceVersion' | 'priceSince'>
export type EditedRoute = CatalogueModel['routes'][number]

export const CAPABILITIES = ['tools', 'images', 'reasoning', 'cache'] as const
export const PRICES = ['input', 'output', 'cachedInput', 'cacheWrite'] as const

export const NEW_MODEL: EditedModel = {
  id: '',
  title: '',
  lane: 'frontier',
  routes: [{ providerId: 'prv_default', upstreamModel: '', priority: 0, weight: 100 }],
  contextTokens: 200_000,
  outputTokens: 64_000,
  capabilities: ['tools'],
  price: { input: 0, output: 0, cachedInput: 0, cacheWrite: 0 },
  aliases: [],
  enabled: true,
}

/** Everything except the id, which is part of the address. */
export const bodyOf = ({
  title,
  lane,
  routes,
  contextTokens,
  outputTokens,
  capabilities,
  price,
  aliases,
  enabled,
}: EditedModel): AdminModelsSetBody => ({
  ...{ title, lane, routes, contextTokens, outputTokens, capabilities, price, aliases, enabled },
})

/** `price` is the price of the model where the user may not change it. */
export function modelFrom(
  form: FormData,
  { id, price }: Pick<EditedModel, 'id' | 'price'>,
  mayPrice: boolean,
): EditedModel {
  const modelId = id || textOf(form, 'id').trim()
  return {
    id: modelId,
    title: textOf(form, 'title').trim() || modelId,
    lane: textOf(form, 'lane') as EditedModel['lane'],
    routes: routesFrom(form),
    contextTokens: wholeNumber(textOf(form, 'contextTokens'), 'contextTokens'),
    outputTokens: wholeNumber(textOf(form, 'outputTokens'), 'outputTokens'),
    capabilities: CAPABILITIES.filter((each) => form.getAll('capabilities').includes(each)),
    price: mayPrice ? priceFrom(form) : price,
    aliases: listOf(form, 'aliases'),
    enabled: form.has('enabled'),
  }
}

/** Cached input and cache write cost as much as input where they are left empty. */
function priceFrom(form: FormData): EditedModel['price'] {
  const read = (name: (typeof PRICES)[number]) => kobo(textOf(form, `price.${name}`), `price.${name}`)
  const input = read('input')
  const orInput = (name: 'cachedInput' | 'cacheWrite') =>
    textOf(form, `price.${name}`).trim() === '' ? input : read(name)
  return {
    input,
    output: read('output'),
    cachedInput: orInput('cachedInput'),
    cacheWrite: orInput('cacheWrite'),
  }
}

/** The form has the four values of each route in order. */
export function routesFrom(form: FormData): EditedRoute[] {
  const [models, priorities, weights] = ['upstreamModel', 'priority', 'weight'].map((name) =>
    form.getAll(`route.${name}`).map(String),
  )
  return form.getAll('route.providerId').map((providerId, index) => ({
    providerId: String(providerId),
    upstreamModel: (models?.[index] ?? '').trim(),
    priority: wholeNumber(priorities?.[index] ?? '', `routes.${index}.priority`),
    weight: wholeNumber(weights?.[index] ?? '', `routes.${index}.weight`),
  }))
}

/** Spaces between digits are allowed; every other mark is refused, because it could be a decimal one. */
function wholeNumber(typed: string, path: string): number {
  const digits = typed.replaceAll(/\s/g, '')
  if (!/^\d{1,12}$/.test(digits)) throw problem(t('must be a whole number'), { path })
  return Number(digits)
}

/** Exact: kobo are whole, and the highest price is far below the safe integers. */
function kobo(typed: string, path: string): number {
  const digits = typed.replaceAll(/\s/g, '')
  if (!/^\d{1,12}$/.test(digits)) throw problem(t('must be a whole number of kobo'), { path })
  return Number(digits)
}
