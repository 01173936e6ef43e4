// The list of models in the format of Gemini.
import { invalidFields } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { type AvailableModel, availableModels, findAvailable } from '../models.ts'
import type { GeminiPage } from './schema.ts'

const METHODS = ['generateContent', 'streamGenerateContent', 'countTokens']
const NAME = 'models/'

export function listGeminiModels(app: App, actor: Actor, { pageSize, pageToken }: GeminiPage) {
  const all = availableModels(app, actor)
  // Google's clients send the token back as it is: the id of the first model of the next page.
  const first = pageToken ? all.findIndex(({ id }) => id === pageToken) : 0
  if (first < 0) throw invalidFields({ path: 'query.pageToken', message: 'is no token of this list' })
  const next = all[first + pageSize]
  return {
    models: all.slice(first, first + pageSize).map(modelOf),
    ...(next && { nextPageToken: next.id }),
  }
}

export const oneGeminiModel = (app: App, actor: Actor, name: string) =>
  modelOf(findAvailable(app, actor, name))

const modelOf = ({ id, title, lane, contextTokens, outputTokens, capabilities }: AvailableModel) => ({
  name: `${NAME}${id}`,
  version: '1',
  displayName: title,
  description: `A model of the ${lane} lane.`,
  inputTokenLimit: contextTokens,
  outputTokenLimit: outputTokens,
  supportedGenerationMethods: METHODS,
  ...(capabilities && { thinking: capabilities.includes('reasoning') }),
})
