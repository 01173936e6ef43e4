// Learns the secrets of a workspace, so that they are hidden wherever a tool or a test shows them. Files that hold secrets are
// learned when the workspace is opened, and all others while the first command runs: it may print a part of a file that does not
// show that a value is a secret.
import { stat } from 'node:fs/promises'
import { isSecretFile } from '@cowrie/analysis/secret-formats/secrets.ts'
import type { ScannedFiles } from '@cowrie/workspace/search/file-reader.ts'
import { showCount } from '@cowrie/workspace/text/plain-text.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { runTask, TaskTimeout, task } from '../../../platform/workers/workers.ts'
import type { SandboxTree } from '../../../sandbox/sandbox.ts'
import type { SecretMask } from '../../secrets/secret-mask.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { ToolContext } from '../tool-types.ts'
import type { LearnOutput } from './learn-task.ts'

const SECRET_FILES_MAX = 500
const SECRET_FILE_BYTES_MAX = 1 << 20

/** All values of the files that exist to hold secrets, such as `.env`. */
export async function learnSecretFiles(workspace: Workspace, mask: SecretMask): Promise<void> {
  const allowed = mask.forWorker.allowedPaths.filter(
    (path) => workspace.files.has(path) && isSecretFile(path),
  )
  const withheld = [...workspace.files.keys()].filter((path) => mask.isWithheldFile(path))
  const depthOf = (path: string) => path.split('/').length
  // A folder of test keys must not leave the settings of the program unknown.
  const paths = [...allowed, ...withheld].sort((a, b) => depthOf(a) - depthOf(b))
  const isSmall = (path: string) => (workspace.files.get(path)?.bytes ?? 0) <= SECRET_FILE_BYTES_MAX
  const learned = paths.filter(isSmall).slice(0, SECRET_FILES_MAX)
  for (const path of learned) await mask.learn(path, (await workspace.read(path))?.toString() ?? '')
  noteUnexamined(
    mask,
    paths.filter((path) => !learned.includes(path)),
    'too many or too large files that hold secrets',
  )
}

const LEARN = task<ScannedFiles, LearnOutput>(new URL('./learn-task.ts', import.meta.url))
const FILE_BYTES_MAX = 8 << 20
/** A task of this many files gives way to the tasks of others. */
const FILES_PER_TASK = 2_000
const TASK_MS = 12_000
/** A command waits no longer for the files of a repository. They are examined once per commit. */
const WAIT_MS = 10_000
const EXAMINE_MS = 300_000
/** For the files that are not in a folder. */
const LEARN_MS = 15_000

type LearnContext = Pick<ToolContext, 'workspace' | 'mask' | 'orgId' | 'signal'>

/** The texts that a mask has learned: later commands learn only what has changed. */
const learnedTexts = new WeakMap<SecretMask, Set<string | Uint8Array>>()

/** The values in all files that look like secrets. Names the files that were not examined. `more`: other states of the files. */
export async function learnSecrets(context: LearnContext, ...more: readonly SandboxTree[]): Promise<void> {
  const { workspace, mask } = context
  const { tree } = workspace
  const known = learnedTexts.get(mask) ?? new Set()
  learnedTexts.set(mask, known)
  const texts = [tree, ...more]
    .flatMap(({ files }) => [...files])
    .filter(([, content]) => !known.has(content))
  const isLarge = ([, content]: (typeof texts)[number]) => content.length > FILE_BYTES_MAX
  const values: string[] = []
  const unexamined: string[] = texts.filter(isLarge).map(([path]) => path)
  const states = texts.filter((each) => !isLarge(each))
  // Two states of a file have the same path, so each text has a separate path.
  const overrides = new Map(states.map(([, content], i) => [String(i), content]))
  const found = await learnFiles(context, { folder: null, overrides, paths: [...overrides.keys()] })
  values.push(...found.values)
  const left = new Set(found.left)
  for (const [i, [path, content]] of states.entries()) {
    if (left.has(String(i))) unexamined.push(path)
    else known.add(content)
  }
  if (tree.folder !== null) {
    const base = await learnFolder(context, tree.folder, tree)
    values.push(...base.values)
    unexamined.push(...base.left)
  }
  if (!mask.learnValues(values)) mask.noteUnexamined('workspace', 'it has too many secrets')
  noteUnexamined(mask, unexamined, 'too large, or no time')
}

type FolderSecrets = {
  readonly values: Set<string>
  left: readonly string[]
  readonly large: readonly string[]
  /** Present while it is examined. */
  work?: Promise<void> | undefined
}

/** The files of a commit never change, so turns share what was found in them. */
const folders = new Map<string, FolderSecrets>()
const FOLDERS_MAX = 50

async function learnFolder(
  context: LearnContext,
  folder: string,
  { files, deleted }: SandboxTree,
): Promise<{ values: Iterable<string>; left: readonly string[] }> {
  const secrets = folders.get(folder) ?? openFolder(context.workspace, [...files.keys(), ...deleted])
  folders.delete(folder)
  folders.set(folder, secrets)
  const [oldest] = folders.keys()
  if (folders.size > FOLDERS_MAX && oldest !== undefined) folders.delete(oldest)
  if (secrets.left.length > 0) {
    secrets.work ??= examineFolder(context, folder, secrets).finally(() => {
      secrets.work = undefined
    })
    await waitFor(secrets.work, context.signal)
  }
  return { values: secrets.values, left: [...secrets.left, ...secrets.large] }
}

/** Continues after the command and the turn, so that the next one need not wait. */
async function examineFolder(context: LearnContext, folder: string, secrets: FolderSecrets): Promise<void> {
  const signal = AbortSignal.timeout(EXAMINE_MS)
  const identity = await identify(folder)
  const left: string[] = []
  const paths = secrets.left
  for (let at = 0; at < paths.length && !signal.aborted; at += FILES_PER_TASK) {
    const part = paths.slice(at, at + FILES_PER_TASK)
    const found = await learnFiles({ ...context, signal }, { folder, overrides: new Map(), paths: part })
    // No turn holds the folder any more, and it was deleted.
    if ((await identify(folder)) !== identity) {
      folders.delete(folder)
      return
    }
    for (const value of found.values) secrets.values.add(value)
    left.push(...found.left)
    secrets.left = [...left, ...paths.slice(at + FILES_PER_TASK)]
  }
}

async function identify(folder: string): Promise<string | undefined> {
  try {
    const { dev, ino, birthtimeMs } = await stat(folder)
    return [dev, ino, birthtimeMs].join(' ')
  } catch {
    return undefined
  }
}

/** Ends after `WAIT_MS` too. */
async function waitFor(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)])
  const ended = Promise.withResolvers<void>()
  const stop = () => ended.resolve()
  end.addEventListener('abort', stop, { once: true })
  if (end.aborted) stop()
  await Promise.race([work, ended.promise])
  end.removeEventListener('abort', stop)
  signal.throwIfAborted()
}

/** Changed and deleted files too: the tests also run on the files before the turn. */
function openFolder({ files }: Workspace, changed: readonly string[]): FolderSecrets {
  const large: string[] = []
  const left = new Set(changed)
  for (const [path, { bytes }] of files) {
    if (bytes > FILE_BYTES_MAX) large.push(path)
    else left.add(path)
  }
  return { values: new Set(), left: [...left], large }
}

/** `left`: the paths that were not examined. */
async function learnFiles(
  { orgId, signal, mask }: LearnContext,
  { folder, overrides, paths }: Pick<ScannedFiles, 'folder' | 'overrides' | 'paths'>,
): Promise<{ values: readonly string[]; left: readonly string[] }> {
  const endMs = performance.now() + LEARN_MS
  const values: string[] = []
  const left: string[] = []
  for (let at = 0; at < paths.length; at += FILES_PER_TASK) {
    const part = paths.slice(at, at + FILES_PER_TASK)
    if (performance.now() > endMs) {
      left.push(...part)
      continue
    }
    const contents = part.flatMap((path) => {
      const content = overrides.get(path)
      return content === undefined ? [] : [[path, content] as const]
    })
    const input = {
      folder,
      paths: part,
      overrides: new Map(contents),
      mask: { ...mask.forWorker, values: [] },
      fileBytesMax: FILE_BYTES_MAX,
    }
    try {
      const found = await runTask(LEARN, input, { timeoutMs: TASK_MS, owner: orgId, signal })
      values.push(...found.values)
      left.push(...part.slice(part.length - found.left))
    } catch (error) {
      const isBusy = error instanceof ApiError && error.code === 'busy'
      if (!isBusy && !(error instanceof TaskTimeout)) throw error
      left.push(...part)
    }
  }
  return { values, left }
}

const NAMED_MAX = 5

function noteUnexamined(mask: SecretMask, paths: readonly string[], reason: string): void {
  if (paths.length > NAMED_MAX)
    mask.noteUnexamined('workspace', `${showCount(paths.length, 'file')}, ${reason}`)
  else for (const path of paths) mask.noteUnexamined(path, reason)
}
