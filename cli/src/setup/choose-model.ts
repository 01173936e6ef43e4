// The model that a client starts with, and its limits.
import { CowrieError } from '@cowrie/sdk'
import type { ClientValues } from '@cowrie/sdk/clients'
import { type Context, textOf } from '../command.ts'
import { UsageError } from '../errors.ts'
import { type AvailableModel, availableModels } from '../models/available.ts'

export type ChosenModel = Pick<ClientValues, 'model' | 'contextTokens' | 'outputTokens' | 'images'>

/** The names go into files of several formats unchanged. */
const NAME = /^[\w.:/@+-]{1,200}$/
const PREFERRED = ['frontier', 'open']
/** For --print without a key. */
const UNKNOWN: Omit<ChosenModel, 'model'> = { contextTokens: 128_000, outputTokens: 16_384, images: false }

export async function chooseModel({ client, values, signal }: Context): Promise<ChosenModel> {
  const named = namedModel(values)
  const found =
    named === undefined
      ? preferredOf(await availableModels(client, { signal }))
      : await client.gateway.model(named, { signal })
  if (!found) throw new UsageError('Your organisation can use no model now. See "cowrie models".')
  return limitsOf(found)
}

const preferredOf = (models: readonly AvailableModel[]): AvailableModel | undefined =>
  PREFERRED.map((name) => models.find(({ id }) => id === name)).find((model) => model) ?? models[0]

/** The same, with usual limits for a user who is not signed in or has no connection. */
export async function chooseModelToPrint(context: Context): Promise<ChosenModel> {
  try {
    return await chooseModel(context)
  } catch (error) {
    if (!(error instanceof CowrieError) || (error.status !== 401 && error.status !== 0)) throw error
    context.out.note('The limits of the model are not known here, so usual values are shown.')
    return { model: namedModel(context.values) ?? 'open', ...UNKNOWN }
  }
}

function namedModel(values: Context['values']): string | undefined {
  const named = textOf(values, 'model')
  if (named !== undefined && !NAME.test(named))
    throw new UsageError(`"${named}" is not the id of a model. See "cowrie models".`)
  return named
}

const limitsOf = (model: AvailableModel): ChosenModel => ({
  model: model.id,
  contextTokens: model.context_window,
  outputTokens: Math.min(model.max_output_tokens, model.context_window),
  images: model.capabilities?.includes('images') ?? false,
})
