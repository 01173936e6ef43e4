// cowrie apply: the edits of a result, or of a patch, put into the files. Never costs anything.
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { APPLY_OPTIONS, type Applied, applyOptionsIn, applyResult, applyWork } from '../apply/apply.ts'
import { workOfPatch } from '../apply/patch.ts'
import { type Command, type Context, textOf } from '../command.ts'
import { EXIT } from '../exits.ts'
import { readResult } from '../results/store.ts'
import { Failure, UsageError } from '../wrong.ts'

const PATCH_BYTES_MAX = 32 * 1024 * 1024

export const apply: Command = {
  name: 'apply',
  usage: '[last|<result>]',
  summary: 'Put the edits of a stored result into the files; costs nothing.',
  args: { min: 0, max: 1 },
  complete: 'results',
  options: {
    patch: {
      type: 'string',
      placeholder: '<file>',
      summary:
        'A unified diff in place of a result, with the same checks; "-" reads it from the standard input.',
      complete: 'files',
    },
    ...APPLY_OPTIONS,
  },
  async run(context) {
    const applied = await applyWhatIsMeant(context)
    if (applied.outcome === 'declined') context.endWith(EXIT.cancelled)
    context.out.result(applied, [])
  },
}

async function applyWhatIsMeant(context: Context): Promise<Applied> {
  const { args, values, places } = context
  const options = applyOptionsIn(values)
  const [name] = args
  const patch = textOf(values, 'patch')
  if (patch === undefined) return applyResult(context, await readResult(places, name ?? 'last'), options)
  if (name !== undefined) throw new UsageError('--patch goes with no result.')
  if (patch === '-' && !options.yes && !options.isDryRun)
    throw new UsageError('The standard input is the patch, so nobody can be asked; say --yes or --dry-run.')
  return applyWork(context, workOfPatch(await readPatch(context, patch)), options)
}

async function readPatch({ places, machine, signal }: Context, name: string): Promise<string> {
  const path = resolve(places.cwd, name)
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
