// Reads the files of a sandbox tree without loading all of them.
import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { ProjectFiles } from '../../agent/agent.ts'
import type { SandboxTree } from '../../sandbox/sandbox.ts'

export type TreeFiles = {
  readonly paths: ReadonlySet<string>
  /** Null if there is no such file. */
  read(path: string): Promise<Buffer | null>
}

const FILE_BYTES_MAX = 16 << 20

/** `folders` caches the lists of folders: the trees of a turn share theirs. */
export async function openTree(
  tree: SandboxTree,
  folders = new Map<string, Promise<readonly string[]>>(),
): Promise<TreeFiles> {
  const paths = new Set<string>()
  const { folder } = tree
  if (folder !== null) {
    const listed = folders.get(folder) ?? listFolder(folder)
    folders.set(folder, listed)
    for (const path of await listed) if (!tree.deleted.has(path)) paths.add(path)
  }
  for (const path of tree.files.keys()) paths.add(path)
  return {
    paths,
    async read(path) {
      const content = tree.files.get(path)
      if (content !== undefined)
        return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
      return folder === null || !paths.has(path) ? null : readPlainFile(join(folder, path))
    },
  }
}

/** Regular files only: links are neither listed nor followed. */
async function listFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('.git/'))
}

async function readPlainFile(path: string): Promise<Buffer | null> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { size } = await handle.stat()
    return size > FILE_BYTES_MAX ? null : await handle.readFile()
  } finally {
    await handle.close()
  }
}

const TEXT_BYTES_MAX = 1 << 20
const LOADED_BYTES_MAX = 12 << 20
const LOADED_FILES_MAX = 4_000
const ROUNDS_MAX = 16

/** Texts that are loaded when a check has asked for them. Until then they are empty. */
export class ProjectTexts implements ProjectFiles {
  readonly #files: TreeFiles
  readonly #texts = new Map<string, string>()
  readonly #missing = new Set<string>()
  #bytes = 0
  /** More was asked for than is loaded. */
  isOverLimit = false

  constructor(files: TreeFiles) {
    this.#files = files
  }

  has(path: string): boolean {
    return this.#files.paths.has(path)
  }

  get(path: string): string | undefined {
    if (!this.has(path)) return undefined
    const text = this.#texts.get(path)
    if (text === undefined) this.#missing.add(path)
    return text ?? ''
  }

  keys(): Iterable<string> {
    return this.#files.paths
  }

  /** Whether it loaded any. */
  async loadMissing(): Promise<boolean> {
    const wanted = [...this.#missing]
    this.#missing.clear()
    for (const path of wanted) {
      const isFull = this.#bytes > LOADED_BYTES_MAX || this.#texts.size > LOADED_FILES_MAX
      this.isOverLimit ||= isFull
      const bytes = isFull ? null : await this.#files.read(path)
      this.#bytes += Math.min(bytes?.length ?? 0, TEXT_BYTES_MAX)
      this.#texts.set(path, bytes?.subarray(0, TEXT_BYTES_MAX).toString('utf8') ?? '')
    }
    return wanted.length > 0
  }
}

/** Repeats a check until all texts that it asks for are loaded. */
export async function withTexts<T>(sources: readonly ProjectTexts[], check: () => T): Promise<T> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const result = check()
    const loaded = await Promise.all(sources.map((source) => source.loadMissing()))
    if (!loaded.includes(true)) return result
  }
  for (const source of sources) source.isOverLimit = true
  return check()
}
