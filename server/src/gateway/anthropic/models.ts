// The list of models in the format of Anthropic.
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { fieldErrors } from '../../platform/http/reply/error-response.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { type AvailableModel, availableModels, findAvailable, SINCE } from '../models.ts'
import { ModelPage } from './schema.ts'

const CREATED_AT = new Date(SINCE * 1000).toISOString().replace('.000Z', 'Z')

/** Clients of the Messages API name its version in every request. */
export const isAnthropicClient = ({ headers }: RequestInfo): boolean =>
  headers['anthropic-version'] !== undefined

export function listAnthropicModels(app: App, actor: Actor, { query }: RequestInfo) {
  const { limit, after_id, before_id } = readPage(query)
  const all = availableModels(app, actor)
  const first = after_id === undefined ? 0 : indexOf(all, after_id, 'after_id') + 1
  const end = before_id === undefined ? all.length : indexOf(all, before_id, 'before_id')
  const isBackward = before_id !== undefined && after_id === undefined
  const page = isBackward
    ? all.slice(Math.max(0, end - limit), end)
    : all.slice(first, Math.min(first + limit, end))
  return {
    data: page.map(modelOf),
    has_more: Math.max(0, end - first) > page.length,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  }
}

/** The name of an alias is answered with the id that it means. */
export const oneAnthropicModel = (app: App, actor: Actor, name: string) =>
  modelOf(findAvailable(app, actor, name))

function readPage(query: RequestInfo['query']): ModelPage {
  const parsed = ModelPage.safeParse(query)
  if (!parsed.success)
    throw new ApiError('invalid_fields', { fields: fieldErrors(parsed.error.issues, 'query') })
  return parsed.data
}

function indexOf(models: readonly AvailableModel[], id: string, param: string): number {
  const index = models.findIndex((model) => model.id === id)
  if (index < 0) throw invalidFields({ path: `query.${param}`, message: 'is no model of this list' })
  return index
}

const modelOf = ({ id, title, contextTokens, outputTokens }: AvailableModel) => ({
  type: 'model' as const,
  id,
  display_name: title,
  created_at: CREATED_AT,
  max_input_tokens: contextTokens,
  max_tokens: outputTokens,
})
