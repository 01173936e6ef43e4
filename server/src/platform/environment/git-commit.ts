// The commit of a checkout, read from the files of git itself: the program need not be installed.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const HASH = /^[0-9a-f]{40,64}$/

/** The commit that is checked out in this folder, or null where it is no checkout or cannot be read. */
export function readCommit(folder: string): string | null {
  const gitDir = gitDirOf(folder)
  const head = gitDir && textOf(join(gitDir, 'HEAD'))
  if (!gitDir || !head) return null
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1]
  if (ref === undefined) return hashIn(head)
  // A worktree has its own HEAD; its branches are in the folder of the main checkout.
  const shared = resolve(gitDir, textOf(join(gitDir, 'commondir')) ?? '.')
  return hashIn(textOf(join(gitDir, ref))) ?? hashIn(textOf(join(shared, ref))) ?? packed(shared, ref)
}

/** `.git` is a folder, or in a worktree or submodule a file that names one. */
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

/** Null for a file that is absent, a folder, or closed to us: which commit runs is worth no failed start. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}
