// cowrie apply: writes the edits of a result or a patch to the files. Free.
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import {
  APPLY_OPTIONS,
  type ApplyOutcome,
  applyEdits,
  applyOptionsIn,
  applyResult,
} from '../../apply/apply.ts'
import { editSetOfPatch } from '../../apply/patch.ts'
import { type Command, type Context, textOf } from '../../command.ts'
import { Failure, UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { readResult } from '../../results/store.ts'

const PATCH_BYTES_MAX = 32 * 1024 * 1024

export const apply: Command = {
  name: 'apply',
  usage: '[last|<result>]',
  summary: 'Apply the edits of a stored result to your files. Free.',
  args: { min: 0, max: 1 },
  complete: 'results',
  options: {
    patch: {
      type: 'string',
      placeholder: '<file>',
      summary: 'Apply a unified diff instead of a result, with the same checks; "-" reads standard input.',
      complete: 'files',
    },
    ...APPLY_OPTIONS,
  },
  async run(context) {
    const applied = await applySelected(context)
    if (applied.outcome === 'declined') context.endWith(EXIT.cancelled)
    context.out.result(applied, [])
  },
}

async function applySelected(context: Context): Promise<ApplyOutcome> {
  const { args, values, paths } = context
  const options = applyOptionsIn(values)
  const [name] = args
  const patch = textOf(values, 'patch')
  if (patch === undefined) return applyResult(context, await readResult(paths, name ?? 'last'), options)
  if (name !== undefined) throw new UsageError('--patch cannot be combined with a result.')
  if (patch === '-' && !options.yes && !options.isDryRun)
    throw new UsageError(
      'The patch comes from standard input, so questions are not possible. Add --yes or --dry-run.',
    )
  return applyEdits(context, editSetOfPatch(await readPatch(context, patch)), options)
}

async function readPatch({ paths, machine, signal }: Context, name: string): Promise<string> {
  const path = resolve(paths.cwd, name)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of name === '-' ? machine.stdin(signal) : createReadStream(path)) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      size += bytes.byteLength
      if (size > PATCH_BYTES_MAX) throw new Failure('patch_too_large', 'The patch is larger than 32 MiB.')
      chunks.push(bytes)
    }
  } catch (error) {
    if (error instanceof Failure || signal?.aborted) throw error
    throw new Failure('patch_unreadable', `${name} cannot be read (${(error as Error).message}).`)
  }
  return Buffer.concat(chunks).toString('utf8')
}
