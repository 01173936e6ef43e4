// The files sent with a prompt: those named by -f, those named in the prompt, or a small guess.
import { lstat, realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { type Context, type Option, textsOf } from '../command.ts'
import { Failure, UsageError } from '../errors.ts'
import type { SentFile } from '../results/result.ts'
import { type Budget, type Candidate, choose, isGenerated } from './choose.ts'
import { matcher, readRules } from './ignore-rules.ts'
import { gitPaths, type Listing, listFolder, listRepository } from './list-files.ts'
import { readText } from './read-file.ts'
import { SKIP_REASONS, type SkipReason, whySkipped } from './sendable.ts'

export type GatheredFiles = {
  /** Paths are relative to this folder. */
  readonly root: string
  readonly files: readonly SentFile[]
  readonly characters: number
  /** `named`: by option, setting or prompt. `chosen`: by the CLI. */
  readonly how: 'named' | 'chosen'
}

export const GATHER_OPTIONS = {
  file: {
    type: 'string',
    short: 'f',
    multiple: true,
    placeholder: '<file>',
    summary: 'A file, folder or pattern to send. Repeatable.',
    complete: 'files',
  },
  'show-context': { type: 'boolean', summary: 'List the files that are sent.' },
  'allow-secrets': { type: 'boolean', summary: 'Send files that seem to contain secrets.' },
} as const satisfies Record<string, Option>

/** The service's limit per request. */
const LIMITS: Budget = { files: 200, characters: 1_500_000 }
/** The budget for files the user did not name, since input is paid. */
const CHOSEN: Budget = { files: 24, characters: 60_000 }
const CHOSEN_SAVING: Budget = { files: 8, characters: 20_000 }
/** How many files are examined for that. */
const CANDIDATES_MAX = 4_000
const CANDIDATE_CHARACTERS_MAX = 32_000
const CANDIDATES_CHARACTERS_MAX = 32_000_000
const AT_ONCE = 32

export async function gather(context: Context, prompt: string): Promise<GatheredFiles> {
  const { cwd, repository } = context.paths
  const { config, values } = context
  const root = repository?.root ?? cwd
  const patterns = textsOf(values, 'file')
  const listing = await listRepository(context)
  const named = new Set<string>()
  for (const pattern of patterns)
    for (const path of await pathsOf(context, root, listing, pattern)) named.add(path)
  for (const pattern of listing ? (config.include ?? []) : [])
    for (const { path } of listing?.files.filter(({ path }) => matcher(pattern)(path)) ?? []) named.add(path)
  if (patterns.length === 0 && listing) for (const path of mentionedIn(prompt, listing)) named.add(path)
  if (named.size > 0) return within(root, 'named', await readNamed(root, [...named].sort()))
  return within(root, 'chosen', listing ? await chooseFiles(context, prompt, listing) : [])
}

/** The files of one -f. Throws with the reason when a named file cannot be sent. */
async function pathsOf(
  context: Context,
  root: string,
  listing: Listing | null,
  pattern: string,
): Promise<string[]> {
  const { cwd } = context.paths
  const path = await fromRoot(root, resolve(cwd, pattern))
  if (path === null)
    throw new UsageError(`-f "${pattern}" is outside ${root}; only files below it can be sent.`)
  const found = await lstat(resolve(cwd, pattern)).catch(() => null)
  if (found?.isFile() || found?.isSymbolicLink()) {
    const why =
      whySkipped(path) ?? ((await readRules(root, context.config)).isExcluded(path) ? 'excluded' : null)
    if (why) throw cannotSend(pattern, why)
    return [path]
  }
  const all = listing ?? (await listFolder(root, context))
  const fits = found?.isDirectory()
    ? (file: string) => path === '' || file.startsWith(`${path}/`)
    : matcher(path)
  const paths = all.files.map((file) => file.path).filter(fits)
  if (paths.length > 0) return paths
  throw new UsageError(
    found ? `-f "${pattern}" matches no file that can be sent.` : `-f "${pattern}" matches no file.`,
  )
}

/** With slashes; null when it is outside the root. */
async function fromRoot(root: string, path: string): Promise<string | null> {
  // The current folder may be reached through a link.
  for (const base of [root, await realpath(root)]) {
    const way = relative(base, path)
    if (way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && resolve(base, way) === path))
      return way.split(sep).join('/')
  }
  return null
}

/** Paths in the prompt, and file names that are unique. */
function mentionedIn(prompt: string, { files }: Listing): string[] {
  const words = new Set(prompt.split(/[\s"'`()[\]{}<>,;:!?]+/u).map((word) => word.replace(/^\.\/|\.$/g, '')))
  const byName = new Map<string, string[]>()
  for (const { path } of files) {
    const name = path.split('/').at(-1) ?? path
    byName.set(name, [...(byName.get(name) ?? []), path])
  }
  return files
    .map(({ path }) => path)
    .filter((path) => {
      const name = path.split('/').at(-1) ?? path
      return words.has(path) || (name.includes('.') && words.has(name) && byName.get(name)?.length === 1)
    })
}

async function readNamed(root: string, paths: readonly string[]): Promise<SentFile[]> {
  if (paths.length > LIMITS.files) throw tooLarge(`${paths.length} files`)
  const files: SentFile[] = []
  for (const path of paths) {
    const read = await readText(root, path, LIMITS.characters)
    if (typeof read === 'string') throw cannotSend(path, read)
    files.push({ path, content: read.content })
  }
  return files
}

async function chooseFiles(context: Context, prompt: string, listing: Listing): Promise<SentFile[]> {
  const { config, values } = context
  const candidates = await candidatesIn(context, listing)
  const isSaving = values['data-saver'] === true || config.dataSaver === true
  return choose(prompt, candidates, isSaving ? CHOSEN_SAVING : CHOSEN).map(({ path, content }) => ({
    path,
    content,
  }))
}

async function candidatesIn(context: Context, { root, files }: Listing): Promise<Candidate[]> {
  const worthwhile = files
    .filter(({ path, bytes }) => bytes > 0 && bytes <= CANDIDATE_CHARACTERS_MAX * 4 && !isGenerated(path))
    // With very many files, only the recently changed ones.
    .sort((a, b) => b.changedAtMs - a.changedAtMs || (a.path < b.path ? -1 : 1))
    .slice(0, CANDIDATES_MAX)
  const [dirty, recent] = await Promise.all([dirtyIn(context, root), recentIn(context, root)])
  const candidates: Candidate[] = []
  let characters = 0
  for (let at = 0; at < worthwhile.length && characters < CANDIDATES_CHARACTERS_MAX; at += AT_ONCE) {
    context.signal?.throwIfAborted()
    const batch = worthwhile.slice(at, at + AT_ONCE)
    const texts = await Promise.all(batch.map(({ path }) => readText(root, path, CANDIDATE_CHARACTERS_MAX)))
    for (const [index, text] of texts.entries()) {
      const path = batch[index]?.path
      if (typeof text === 'string' || path === undefined) continue
      characters += text.content.length
      candidates.push({
        path,
        content: text.content,
        isDirty: dirty.has(path),
        commitsAgo: recent.get(path) ?? null,
      })
    }
  }
  return candidates.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function dirtyIn(context: Context, root: string): Promise<Set<string>> {
  return new Set(await gitPaths(root, ['ls-files', '-z', '-mo', '--exclude-standard'], context))
}

/** How many commits ago each file changed, among the newest twenty. Empty without commits. */
async function recentIn(context: Context, root: string): Promise<Map<string, number>> {
  const format = '--format=%x01'
  const args = ['log', '-z', '-n', '20', '--name-only', '--no-renames', '--no-ext-diff', format]
  const entries = await gitPaths(root, args, context).catch((error: unknown) => {
    if (error instanceof Failure) return []
    throw error
  })
  const recent = new Map<string, number>()
  let commit = -1
  for (const entry of entries) {
    const path = entry.replace(/^\n/, '')
    if (path === '\x01') commit++
    else if (path !== '' && !recent.has(path)) recent.set(path, commit)
  }
  return recent
}

function within(root: string, how: GatheredFiles['how'], files: readonly SentFile[]): GatheredFiles {
  const characters = files.reduce((sum, { content }) => sum + content.length, 0)
  if (characters > LIMITS.characters) throw tooLarge(`${characters.toLocaleString('en')} characters`)
  return { root, files, characters, how }
}

const tooLarge = (what: string) =>
  new Failure('context_too_large', `${what} exceed the limit of 200 files with 1,500,000 characters.`, {
    next: 'Name fewer with -f, or exclude some with .cowrieignore.',
  })

const cannotSend = (path: string, why: SkipReason) =>
  new Failure('file_not_sent', `${path} ${SKIP_REASONS[why]}.`, {
    next: 'Omit it, and name others with -f.',
  })
