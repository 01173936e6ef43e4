// Reads the commit of a checkout from the files of git, so that the git program is not needed.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const HASH = /^[0-9a-f]{40,64}$/

/** The commit that is checked out in this folder; null when the folder is no checkout or cannot be read. */
export function readCommit(folder: string): string | null {
  const gitDir = gitDirOf(folder)
  const head = gitDir && textOf(join(gitDir, 'HEAD'))
  if (!gitDir || !head) return null
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1]
  if (ref === undefined) return hashIn(head)
  // A worktree has its own HEAD. Its branches are in the git folder of the main checkout.
  const shared = resolve(gitDir, textOf(join(gitDir, 'commondir')) ?? '.')
  return hashIn(textOf(join(gitDir, ref))) ?? hashIn(textOf(join(shared, ref))) ?? packed(shared, ref)
}

/** `.git` is a folder; in a worktree or submodule it is a file with the path of that folder. */
function gitDirOf(folder: string): string | null {
  const path = join(folder, '.git')
  const elsewhere = /^gitdir: (.+)$/.exec(textOf(path) ?? '')?.[1]
  if (elsewhere !== undefined) return resolve(folder, elsewhere)
  return textOf(join(path, 'HEAD')) === null ? null : path
}

function packed(gitDir: string, ref: string): string | null {
  const line = textOf(join(gitDir, 'packed-refs'))
    ?.split('\n')
    .find((each) => each.endsWith(` ${ref}`))
  return hashIn(line?.split(' ')[0] ?? null)
}

const hashIn = (text: string | null): string | null => (text !== null && HASH.test(text) ? text : null)

/** Null when the file cannot be read: an unknown commit must not fail the start. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}
