// Removes a setup: restores the files and revokes the key.
import type { ClientRecipe } from '@cowrie/sdk/clients'
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { revokeClientKey } from './client-key.ts'
import { hasChanges, showDiff } from './diff.ts'
import { removeEmptyFolders, writeAll } from './files.ts'
import { planUndo } from './plan.ts'
import { requireRecord } from './record-of.ts'
import { removeRecord, saveRecord } from './records.ts'

export async function undoClient(context: Context, recipe: ClientRecipe): Promise<void> {
  const { out, ask, paths } = context
  const record = requireRecord(context, recipe)
  const plans = planUndo(record)
  if (hasChanges(plans)) showDiff(plans, out)
  if (!(await ask.yes(`Remove this setup of ${recipe.title} and revoke its key?`)))
    throw new Failure('cancelled', 'Nothing was changed.', { exit: EXIT.cancelled })

  await writeAll(plans.map(({ write }) => write).filter(({ path, text }) => isNeeded(plans, path, text)))
  removeEmptyFolders(
    plans.map(({ write }) => write.path),
    record.folders,
  )
  const kept = plans.flatMap((plan) => plan.kept.map((value) => `${value} in ${plan.name}`))
  if (kept.length > 0) out.warn(`Changed since the setup, and left as it is: ${kept.join(', ')}.`)
  const left = await revokeClientKey(record)
  if (left) {
    // A later undo revokes the key.
    await saveRecord(paths, { ...record, files: [], folders: [] })
    throw new Failure(
      'key_not_revoked',
      `The files are restored, but the key is still valid: ${left.message}`,
      {
        exit: EXIT.network,
        next: `Run "cowrie setup ${recipe.id} --undo" again, or revoke ${record.keyId} in the app.`,
      },
    )
  }
  removeRecord(paths, recipe.id)
  out.result({ client: recipe.id, ok: true, keyId: record.keyId, kept }, [
    `${recipe.title} is as it was, and its key is revoked.`,
  ])
}

/** A file that is gone already needs no write. */
const isNeeded = (plans: ReturnType<typeof planUndo>, path: string, text: string | null): boolean =>
  plans.some(({ write, present }) => write.path === path && present.text !== text)
