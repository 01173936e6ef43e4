// Checks of this computer: Node.js, our files, git, and what a run would send.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Context } from '../command.ts'
import { listRepository } from '../context/list-files.ts'
import { Failure } from '../errors.ts'
import { findGit } from '../git/git.ts'
import { bad, type Check, ok, warn } from './check.ts'

const NODE_MIN = 20
const GIT_TIMEOUT_MS = 5_000
const LEFT_OUT_SHOWN = 5

export async function checkComputer(context: Context): Promise<Check[]> {
  return [checkNode(), ...(await checkFiles(context)), ...(await checkRepository(context))]
}

function checkNode(): Check {
  const { node } = process.versions
  return Number(node.split('.')[0]) >= NODE_MIN
    ? ok('node', `Running on Node.js ${node}.`)
    : bad('node', `Node.js ${node} is too old.`, `Use Node.js ${NODE_MIN} or newer.`)
}

async function checkFiles({ credentials, paths }: Context): Promise<Check[]> {
  if (!credentials)
    return [warn('files', 'There is no home folder, so keys and settings cannot be stored.', 'Set HOME.')]
  try {
    const { exposed } = await credentials.read()
    return [
      exposed
        ? bad('files', `${credentials.path} ${exposed} and is ignored.`, `chmod 600 ${credentials.path}`)
        : ok('files', `Keys and settings are in ${paths.config}.`),
    ]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [bad('files', error.message, error.next ?? 'Move it away.')]
  }
}

async function checkRepository(context: Context): Promise<Check[]> {
  const version = await versionOfGit(context)
  if (version === null)
    return [warn('git', 'git is not installed, so edits cannot be applied.', 'Install git.')]
  const { repository } = context.paths
  if (!repository) return [ok('git', `${version}; the current folder is not in a repository.`)]
  try {
    const listing = await listRepository(context)
    if (!listing) return [ok('git', `${version}; the current folder is not in a repository.`)]
    const bytes = listing.files.reduce((sum, file) => sum + file.bytes, 0)
    const skippedCount = listing.leftOut.length
    return [
      ok('git', `${version}; the repository is ${repository.root}.`),
      ok(
        'context',
        `${listing.files.length} ${listing.files.length === 1 ? 'file' : 'files'} (${sizeOf(bytes)}) can be sent with a task; each task sends a selection.`,
      ),
      ...(skippedCount > 0
        ? [
            ok(
              'left out',
              `${skippedCount} ${skippedCount === 1 ? 'file is' : 'files are'} never sent: ${listing.leftOut
                .slice(0, LEFT_OUT_SHOWN)
                .map(({ path, why }) => `${path} (${why})`)
                .join(', ')}${skippedCount > LEFT_OUT_SHOWN ? ' …' : ''}.`,
            ),
          ]
        : []),
    ]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [bad('git', error.message, error.next ?? 'See "git status".')]
  }
}

async function versionOfGit({ env }: Context): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(findGit(env), ['--version'], { timeout: GIT_TIMEOUT_MS })
    return stdout.trim()
  } catch {
    return null
  }
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
