// The input of a scan: the current files, or only their changes with the diff.

import { requireMatch, selects } from '../code-index/files.ts'
import type { Context } from '../command.ts'
import { listFolder, listRepository, type SkippedFile } from '../context/list-files.ts'
import { readText } from '../context/read-file.ts'
import { Failure, UsageError } from '../errors.ts'
import { type Git, literalPath, openGit, splitNul } from '../git/git.ts'
import { SCANNED_CHARACTERS_MAX, type ScanFile } from './batches.ts'

export type ScanInput = {
  readonly files: readonly ScanFile[]
  /** Selected files that are not sent, with the reason. */
  readonly leftOut: readonly SkippedFile[]
  /** Limits findings to these paths; null for all. */
  readonly diffOf: ((paths: readonly string[]) => Promise<string>) | null
}

/** `base`: compare with this commit; `staged`: the changes in the index. */
export type ScanSelection = { readonly base: string | undefined; readonly isStaged: boolean }

const DIFF = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames']
const PLAIN = ['--unified=0', '--src-prefix=a/', '--dst-prefix=b/']

type Needs = Pick<Context, 'paths' | 'config' | 'env' | 'signal'>

export async function gatherScanInput(
  context: Needs,
  named: readonly string[],
  { base, isStaged }: ScanSelection,
): Promise<ScanInput> {
  const { env, signal } = context
  const { cwd, repository } = context.paths
  const listing = (await listRepository(context)) ?? (await listFolder(cwd, context))
  const isMeant = selects(listing.root, cwd, named)
  const all = [...listing.files, ...listing.leftOut].map(({ path }) => path)
  requireMatch(named, { root: listing.root, cwd, paths: all })
  const paths = listing.files.map(({ path }) => path).filter(isMeant)
  const isWhole = base === undefined && !isStaged
  const unlisted = listing.leftOut.filter(({ path }) => isMeant(path))
  if (isWhole) {
    const { files, leftOut } = await readAll(listing.root, paths, context)
    return { files, leftOut: [...unlisted, ...leftOut], diffOf: null }
  }
  if (!repository)
    throw new Failure('no_repository', '--diff and --staged need a git repository, and there is none here.')
  const git = openGit(listing.root, env)
  const from = isStaged ? ['--cached'] : ['--merge-base', await commitOf(git, base ?? '', context)]
  const { text } = await git.run([...DIFF, '--name-only', '-z', '--diff-filter=d', ...from], { signal })
  const changed = new Set(splitNul(text))
  const meant = paths.filter((path) => changed.has(path))
  const read = isStaged ? await readStaged(git, meant, context) : await readAll(listing.root, meant, context)
  return {
    files: read.files,
    leftOut: [...unlisted.filter(({ path }) => changed.has(path)), ...read.leftOut],
    async diffOf(of) {
      const diff = await git.run([...DIFF, ...PLAIN, ...from, '--', ...of.map(literalPath)], { signal })
      return diff.text
    },
  }
}

type Read = Pick<ScanInput, 'files' | 'leftOut'>

async function readAll(root: string, paths: readonly string[], { signal }: Needs): Promise<Read> {
  const files: ScanFile[] = []
  const leftOut: SkippedFile[] = []
  for (const path of paths) {
    signal?.throwIfAborted()
    const read = await readText(root, path, SCANNED_CHARACTERS_MAX)
    if (typeof read === 'string') leftOut.push({ path, why: read })
    else files.push({ path, content: read.content })
  }
  return { files, leftOut }
}

/** The staged content, which may differ from the working tree. */
async function readStaged(git: Git, paths: readonly string[], { signal }: Needs): Promise<Read> {
  const files: ScanFile[] = []
  const leftOut: SkippedFile[] = []
  for (const path of paths) {
    const { bytes } = await git.run(['cat-file', 'blob', `:0:${path}`], { signal })
    const content = bytes.toString('utf8')
    if (content.length > SCANNED_CHARACTERS_MAX) leftOut.push({ path, why: 'large' })
    else if (content.includes('\0')) leftOut.push({ path, why: 'binary' })
    else files.push({ path, content })
  }
  return { files, leftOut }
}

async function commitOf(git: Git, base: string, { signal }: Needs): Promise<string> {
  const asked = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`]
  const { code, text } = await git.run(asked, { signal, answers: () => true })
  if (code === 0) return text.trim()
  throw new UsageError(`git has no commit "${base}".`)
}
