// Files that commands without a question do not see: they could print their values in a form that the mask does not know.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { isSecretFile } from '@cowrie/sdk/secrets'
import { splitNul } from '../../git/git.ts'
import { gitOf, listIgnoredPaths, walkPaths } from '../files/list-paths.ts'
import type { Environment } from './sandbox/environment.ts'

const FILES_MAX = 500

/** The full paths of files that hold secrets. Not those that git stores: it would show them as changed, and has them anyway. */
export async function withheldFiles(root: string, env: Environment): Promise<string[]> {
  const paths = await untrackedPaths(root, env).catch(async () => (await walkPaths(root, '')).paths)
  return paths
    .filter(isSecretFile)
    .map((path) => join(root, path))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile())
    .slice(0, FILES_MAX)
}

async function untrackedPaths(root: string, env: Environment): Promise<readonly string[]> {
  const git = gitOf(root, env)
  if (git === null) return (await walkPaths(root, '')).paths
  const { text } = await git.run(['ls-files', '-z', '-o', '--exclude-standard'])
  return [...splitNul(text), ...(await listIgnoredPaths(git))]
}
