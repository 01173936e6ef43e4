// Sets up a client: shows the change, asks, creates a key, and writes all files or none.
import { type ClientRecipe, type ClientValues, fillTemplate } from '@cowrie/sdk/clients'
import type { KeyLimits } from '../auth/key-limits.ts'
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { bold } from '../terminal/line.ts'
import { chooseModel, chooseModelToPrint } from './choose-model.ts'
import { type ClientKey, createClientKey, keyMaker, revokeClientKey } from './client-key.ts'
import { hasChanges, showDiff } from './diff.ts'
import { readConfigFile, writeAll } from './files.ts'
import { pathsOf } from './locate.ts'
import { type FilePlan, planSetup } from './plan.ts'
import {
  readRecord,
  removeRecord,
  requirePath,
  restoreLimits,
  type SetupRecord,
  saveRecord,
  storeLimits,
} from './records.ts'

/** Shown before the key exists. */
const MASKED_KEY = 'csk_…'

export async function installClient(
  context: Context,
  recipe: ClientRecipe,
  limitsOf: (context: Context) => Promise<KeyLimits>,
): Promise<void> {
  const { out, ask, paths, baseUrl } = context
  requirePath(paths, recipe.id)
  requireUsableAddress(recipe, baseUrl)
  const values = { ...(await chooseModel(context)), baseUrl, key: MASKED_KEY, time: context.machine.now() }
  const earlier = readRecord(paths, recipe.id)
  const limits = keptLimits(context, await limitsOf(context), earlier)
  const shown = planSetup(recipe, values, earlier, surroundingsOf(context))
  if (hasChanges(shown)) showDiff(shown, out)
  const question = recipe.files.length > 0 ? `Set up ${recipe.title}?` : `Create a key for ${recipe.title}?`
  const maker = await keyMaker(context)
  if (!(await ask.yes(question)))
    throw new Failure('cancelled', 'Nothing was changed.', { exit: EXIT.cancelled })
  requireUnchanged(shown)

  const key = await createClientKey(maker, recipe, limits, context)
  const record = await applyOrRevoke(
    context,
    recipe,
    { ...values, key: key.key },
    {
      key,
      limits,
      earlier,
      parentKeyId: maker.id,
    },
  )
  if (earlier && earlier.keyId !== record.keyId) await revokeEarlier(context, earlier)
  report(context, recipe, { ...values, key: key.key }, record)
}

/** A repeated setup keeps the limits of the former key, unless others are given. */
function keptLimits({ out }: Context, asked: KeyLimits, earlier: SetupRecord | null): KeyLimits {
  const former = earlier?.limits
  if (Object.keys(asked).length > 0 || !former || Object.keys(former).length === 0) return asked
  out.note('The new key keeps the limits of the former one. Change them with "cowrie keys edit".')
  return restoreLimits(former)
}

const surroundingsOf = ({ env, machine }: Context) => ({ env, platform: machine.platform })

/** Prints the configuration. A key is created only with --key. */
export async function printConfiguration(
  context: Context,
  recipe: ClientRecipe,
  limitsOf: (context: Context) => Promise<KeyLimits>,
): Promise<void> {
  const { out, baseUrl, machine } = context
  const chosen = await chooseModelToPrint(context)
  const key = context.values.key
    ? await createClientKey(await keyMaker(context), recipe, await limitsOf(context), context)
    : null
  const values = { ...chosen, baseUrl, key: key?.key ?? '<your key>', time: machine.now() }
  const files = recipe.files.map((file) => ({
    path: pathsOf(file, surroundingsOf(context))[0] ?? '',
    content: fillTemplate(file.snippet, values),
  }))
  const steps = recipe.steps.map((step) => fillTemplate(step, values))
  const { model } = chosen
  if (out.json)
    return out.result({ client: recipe.id, baseUrl, model, keyId: key?.id ?? null, files, steps }, [])
  for (const { path, content } of files) {
    out.note([bold(path)])
    out.raw(content)
  }
  for (const [index, step] of steps.entries()) out.result(null, [`${index + 1}. ${step}`])
  if (key) out.note(`The key is ${key.id}. Revoke it with "cowrie keys revoke ${key.id}".`)
}

function requireUsableAddress({ title, needsHttps, files }: ClientRecipe, baseUrl: string): void {
  const isLocal = /^http:\/\/(127(\.\d+){3}|localhost|\[::1\])(:\d+)?(\/|$)/i.test(baseUrl)
  if (!needsHttps || baseUrl.startsWith('https:') || (isLocal && files.length > 0)) return
  throw new Failure('address_unusable', `${title} accepts only addresses with HTTPS, and this is ${baseUrl}.`)
}

/** The user may have edited a file while the question waited. */
function requireUnchanged(plans: readonly FilePlan[]): void {
  const changed = plans.find(({ name, present }) => readConfigFile(name).text !== present.text)
  if (changed)
    throw new Failure('config_changed', `${changed.name} has changed meanwhile. Nothing was written.`, {
      next: 'Run the same command again.',
    })
}

type NewKey = {
  key: ClientKey
  limits: KeyLimits
  earlier: SetupRecord | null
  parentKeyId: string | null
}

/** The record is stored before the files, so that an interruption cannot lose the key. */
async function applyOrRevoke(
  context: Context,
  recipe: ClientRecipe,
  values: ClientValues,
  { key, limits, earlier, parentKeyId }: NewKey,
): Promise<SetupRecord> {
  const { paths } = context
  const { baseUrl, model, time } = values
  try {
    const plans = planSetup(recipe, values, earlier, surroundingsOf(context))
    const record: SetupRecord = {
      client: recipe.id,
      baseUrl,
      model,
      keyId: key.id,
      key: key.key,
      parentKeyId,
      at: time.toISOString(),
      limits: storeLimits(limits),
      files: plans.flatMap(({ changed }) => changed ?? []),
      folders: earlier?.folders ?? [],
    }
    await saveRecord(paths, record)
    const folders = await writeAll(plans.map(({ write }) => write))
    const complete = { ...record, folders: [...record.folders, ...folders] }
    if (folders.length > 0) await saveRecord(paths, complete)
    return complete
  } catch (error) {
    if (earlier) await saveRecord(paths, earlier).catch(() => undefined)
    else removeRecord(paths, recipe.id)
    const left = await revokeClientKey({ baseUrl, key: key.key, keyId: key.id })
    if (left) context.out.warn(`The new key ${key.id} was not revoked: ${left.message}`)
    throw error
  }
}

async function revokeEarlier({ out }: Context, earlier: SetupRecord): Promise<void> {
  const left = await revokeClientKey(earlier)
  if (left) out.warn(`The previous key ${earlier.keyId} was not revoked: ${left.message}`)
}

function report(context: Context, recipe: ClientRecipe, values: ClientValues, record: SetupRecord): void {
  const { out, env } = context
  const { baseUrl, model, keyId, files } = record
  const steps = recipe.steps.map((step) => fillTemplate(step, values))
  const start = fillTemplate(recipe.start, values)
  const isCommand = /^[\w-]+$/.test(recipe.start)
  out.result(
    {
      client: recipe.id,
      baseUrl,
      model,
      keyId,
      files: files.map(({ path }) => path),
      steps,
      start,
    },
    [
      recipe.files.length > 0
        ? `${recipe.title} now uses ${baseUrl} with the model ${model}.`
        : `The key for ${recipe.title} is ready.`,
      ...steps.map((step, index) => `${index + 1}. ${step}`),
      isCommand ? `Start it with: ${start}` : start,
    ],
  )
  for (const note of recipe.notes) out.note(`- ${fillTemplate(note, values)}`)
  const conflicts = (recipe.conflictingVariables ?? []).filter((name) => env[name])
  if (conflicts.length > 0)
    out.warn(
      `${conflicts.join(', ')} in your environment can override this setup. Remove it from your shell.`,
    )
  out.note(`Check it with "cowrie setup ${recipe.id} --check"; remove it with --undo.`)
}
