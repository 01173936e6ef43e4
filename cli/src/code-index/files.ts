// The files of a repository to index, each with a digest to detect changes.
import { createHash } from 'node:crypto'
import { relative, resolve, sep } from 'node:path'
import type { Context } from '../command.ts'
import { listRepository, type SkippedFile } from '../context/list-files.ts'
import { readText } from '../context/read-file.ts'
import { Failure, UsageError } from '../errors.ts'

export type IndexFile = { readonly path: string; readonly content: string; readonly sha256: string }
export type IndexFiles = {
  /** Sorted by path. */
  readonly files: readonly IndexFile[]
  readonly leftOut: readonly SkippedFile[]
  /** Whether the path is selected, whether or not it exists. */
  isMeant(path: string): boolean
}

/** The service's limit per file. */
const FILE_BYTES_MAX = 400 * 1024
/** The ignore rules were applied already. */
const IGNORE_FILE = /(^|\/)\.(gitignore|cowrieignore)$/

type Needs = Pick<Context, 'paths' | 'config' | 'env' | 'signal'>

/** `known` are indexed paths: deleted files can be selected too. */
export async function gatherFiles(
  context: Needs,
  named: readonly string[],
  known: readonly string[],
): Promise<IndexFiles> {
  const listing = await listRepository(context)
  if (!listing)
    throw new Failure('no_repository', 'Indexing needs a git repository, and there is none here.', {
      next: 'Change to one, or create one with "git init".',
    })
  const { root, files: listed, leftOut } = listing
  const { cwd } = context.paths
  const isMeant = selects(root, cwd, named)
  requireMatch(named, { root, cwd, paths: [...[...listed, ...leftOut].map(({ path }) => path), ...known] })
  const files: IndexFile[] = []
  const skipped: SkippedFile[] = leftOut.filter(({ path }) => isMeant(path))
  for (const { path, bytes } of listing.files) {
    if (!isMeant(path) || IGNORE_FILE.test(path)) continue
    context.signal?.throwIfAborted()
    const read = bytes > FILE_BYTES_MAX ? 'large' : await readText(listing.root, path, FILE_BYTES_MAX)
    if (typeof read === 'string') skipped.push({ path, why: read })
    else files.push({ path, content: read.content, sha256: digestOf(read.content) })
  }
  return { files, leftOut: skipped, isMeant }
}

/** Matches paths at or below the named ones; everything without any. */
export function selects(root: string, cwd: string, named: readonly string[]): (path: string) => boolean {
  const prefixes = named.map((each) => {
    const path = relative(root, resolve(cwd, each)).split(sep).join('/')
    if (path === '..' || path.startsWith('../')) throw new UsageError(`"${each}" is not in this repository.`)
    return path
  })
  if (prefixes.length === 0 || prefixes.includes('')) return () => true
  return (path) => prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
}

/** A name that matches nothing is an error, not an up-to-date index. */
export function requireMatch(
  named: readonly string[],
  { root, paths, cwd }: { root: string; paths: readonly string[]; cwd: string },
): void {
  const empty = named.find((each) => !paths.some(selects(root, cwd, [each])))
  if (empty !== undefined)
    throw new UsageError(`"${empty}" is not a file of this repository that can be sent.`)
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
