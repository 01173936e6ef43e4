// Checks a setup with a free call, and lists the state of all clients.
import { CowrieError } from '@cowrie/sdk'
import { CLIENT_RECIPES, type ClientRecipe } from '@cowrie/sdk/clients'
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { availableModels } from '../models/available.ts'
import { table } from '../terminal/table.ts'
import { columns } from '../terminal/wrap.ts'
import { clientOf } from './client-key.ts'
import { readConfigFile } from './files.ts'
import { UneditableError } from './formats/format.ts'
import { differingValues } from './formats/formats.ts'
import { pathsOf } from './locate.ts'
import { requireRecord } from './record-of.ts'
import { type ChangedFile, readRecord, type SetupRecord } from './records.ts'

/** Shows what the client will see. */
export async function checkClient(context: Context, recipe: ClientRecipe): Promise<void> {
  const { out, endWith } = context
  const record = requireRecord(context, recipe)
  const models = await modelsOf(record, recipe)
  const isAvailable = await canUse(record)
  const differing = record.files.flatMap((file) => differingIn(file))
  out.result(
    {
      client: recipe.id,
      baseUrl: record.baseUrl,
      keyId: record.keyId,
      model: record.model,
      isModelAvailable: isAvailable,
      models,
      differing,
    },
    columns(
      [
        ['address', record.baseUrl],
        ['key', `${record.key.slice(0, 12)}… is valid (${record.keyId})`],
        ['model', `${record.model}${isAvailable ? '' : ' is not available to this key'}`],
        ['models', models.join(', ') || 'none'],
        ...record.files.map(({ path }): [string, string] => ['file', path]),
      ],
      out.width,
    ),
  )
  for (const each of differing) out.warn(each)
  if (!isAvailable || differing.length > 0) endWith(EXIT.failed)
}

async function modelsOf(record: SetupRecord, { id, title }: ClientRecipe): Promise<string[]> {
  try {
    return (await availableModels(clientOf(record))).map((model) => model.id)
  } catch (error) {
    if (!(error instanceof CowrieError) || error.status !== 401) throw error
    throw new Failure('client_key_invalid', `The key of ${title} was revoked or has expired.`, {
      exit: EXIT.signIn,
      next: `Create another with "cowrie setup ${id}".`,
    })
  }
}

/** The model may be an alias, which the list does not contain. */
async function canUse(record: SetupRecord): Promise<boolean> {
  try {
    await clientOf(record).gateway.model(record.model)
    return true
  } catch (error) {
    if (error instanceof CowrieError && error.status === 404) return false
    throw error
  }
}

/** A sentence per file that the client would read differently. */
function differingIn({ path, format, changes }: ChangedFile): string[] {
  const { text } = readConfigFile(path)
  if (text === null) return [`${path} is missing.`]
  try {
    const values = differingValues(format, text, changes)
    return values.length === 0 ? [] : [`${path} was changed since: ${values.join(', ')}.`]
  } catch (error) {
    if (error instanceof UneditableError) return [`${path} ${error.message}.`]
    throw error
  }
}

export function listClients({ out, paths, env, machine }: Context): void {
  const clients = CLIENT_RECIPES.map((recipe) => {
    const record = readRecord(paths, recipe.id)
    const files = recipe.files.map((file) => pathsOf(file, { env, platform: machine.platform })[0] ?? '')
    return { recipe, record, files }
  })
  out.result(
    {
      clients: clients.map(({ recipe, record, files }) => ({
        id: recipe.id,
        title: recipe.title,
        isSetUp: record !== null,
        baseUrl: record?.baseUrl ?? null,
        model: record?.model ?? null,
        keyId: record?.keyId ?? null,
        files,
      })),
    },
    table(
      [{ title: 'client' }, { title: 'name' }, { title: 'state' }, { title: 'configuration' }],
      clients.map(({ recipe, record, files }) => [
        recipe.id,
        recipe.title,
        record ? `set up with ${record.model}` : 'not set up',
        files.join(', ') || 'in the app itself',
      ]),
      out.width,
    ),
  )
}
