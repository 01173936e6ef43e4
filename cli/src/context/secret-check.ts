// The last check before files are sent: their size, and whether they contain secrets.
import { secretLines } from '@cowrie/sdk/secrets'
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import type { SentFile } from '../results/result.ts'
import { dim, yellow } from '../terminal/line.ts'
import type { GatheredFiles } from './gather.ts'

const PROMPT = 'the prompt'
const SHOWN_MAX = 20

export type CheckedFiles<T> = {
  readonly files: readonly T[]
  /** The user sends secrets on purpose, and the service passes them on to the model. */
  readonly allowSecrets: boolean
}

/** The files to send. Throws when secrets are found and the user does not agree to send them. */
export async function checkSecrets<T extends SentFile>(
  context: Context,
  gathered: { readonly files: readonly T[] },
  prompt: string,
): Promise<CheckedFiles<T>> {
  const { out, ask, values } = context
  const isFlagged = values['allow-secrets'] === true
  const texts = isFlagged ? [] : [{ path: PROMPT, content: prompt }, ...gathered.files]
  const found = texts.flatMap(({ path, content }) => secretLines(content).map((each) => ({ path, ...each })))
  if (found.length === 0) return { files: gathered.files, allowSecrets: isFlagged }
  const paths = new Set(found.map(({ path }) => path))
  const shown = found.slice(0, SHOWN_MAX).map(({ path, line, reason }) => `${path}:${line} ${reason}`)
  if (found.length > SHOWN_MAX) shown.push(`and ${found.length - SHOWN_MAX} more`)
  if (!ask.isPossible)
    throw new Failure('secrets_found', `Possible secrets in the files to send: ${shown.join('; ')}.`, {
      next: 'Remove them, or exclude the file with .cowrieignore. --allow-secrets sends them anyway.',
    })
  out.complain('Possible secrets in the files to send:')
  for (const line of shown) out.complain(['  ', yellow(line)])
  const choice = await ask.choose(
    'What do you want to do?',
    [
      { key: 's', label: 'skip these files' },
      { key: 'a', label: 'abort' },
      { key: 'c', label: 'continue' },
    ],
    '--allow-secrets to send them anyway',
  )
  if (choice === 'c') return { files: gathered.files, allowSecrets: true }
  if (choice === 'a' || paths.has(PROMPT))
    throw new Failure('secrets_found', 'Nothing was sent.', { next: 'Remove the secret, then try again.' })
  return { files: gathered.files.filter(({ path }) => !paths.has(path)), allowSecrets: false }
}

/** Shows how much is sent, and the files if requested. */
export function showContext(
  { out, values }: Context,
  files: readonly SentFile[],
  how: GatheredFiles['how'],
): void {
  const characters = files.reduce((sum, { content }) => sum + content.length, 0)
  out.note(
    files.length === 0
      ? 'No files are sent. Name some with -f.'
      : `Sending ${files.length === 1 ? '1 file' : `${files.length} files`}, ${sizeOf(characters)}${how === 'chosen' ? ', chosen by the words of the prompt; name others with -f' : ''}.`,
  )
  if (values['show-context'] !== true) return
  for (const { path, content } of files) out.note(['  ', path, dim(`  ${sizeOf(content.length)}`)])
}

const sizeOf = (characters: number): string =>
  characters < 1000 ? `${characters} characters` : `${(characters / 1000).toFixed(1)}k characters`
