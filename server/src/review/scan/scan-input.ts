// What is to be scanned, from what a caller sends: files, a diff, or both.
import type { ScannedFile, SkippedFile } from '@cowrie/analysis/report/finding.ts'
import { invalidFields } from '../../kernel/errors.ts'
import { runTask, TaskTimeout, task } from '../../platform/workers/workers.ts'
import type { DiffInput, ParsedDiff, run } from '../diff/diff-task.ts'

export type ScanBody = {
  readonly files?: readonly ScannedFile[] | undefined
  readonly diff?: string | undefined
}

export type ScanInput = Omit<ParsedDiff, 'changed'> & {
  /** Only what these lines brought is reported; undefined reports everything. */
  readonly changed: ParsedDiff['changed'] | undefined
}

export type TaskContext = { readonly signal: AbortSignal; readonly owner: string }

const READ_MS = 10_000
const READ = task<DiffInput, ReturnType<typeof run>>(new URL('../diff/diff-task.ts', import.meta.url))

export async function readScanInput({ files, diff }: ScanBody, waiting: TaskContext): Promise<ScanInput> {
  if (files) requireUnique(files)
  if (diff === undefined) return { files: files ?? [], changed: undefined, partial: [], skipped: [] }
  const read = await readDiff({ diff, includesText: files === undefined }, waiting)
  return files ? { ...read, files, skipped: [...read.skipped, ...findUnsentFiles(files, read)] } : read
}

/** Files that the diff changes and the caller did not send: their texts are not known. */
function findUnsentFiles(files: readonly ScannedFile[], { changed }: ParsedDiff): SkippedFile[] {
  const sent = new Set(files.map(({ path }) => path))
  return [...changed.keys()].filter((path) => !sent.has(path)).map((path) => ({ path, reason: 'not_sent' }))
}

async function readDiff(input: DiffInput, waiting: TaskContext): Promise<ParsedDiff> {
  try {
    const read = await runTask(READ, input, { ...waiting, timeoutMs: READ_MS })
    if ('unreadable' in read)
      throw invalidFields({ path: 'diff', message: `is no unified diff: ${read.unreadable}` })
    return read
  } catch (error) {
    if (!(error instanceof TaskTimeout)) throw error
    throw invalidFields({ path: 'diff', message: 'takes too long to read: send less at once' })
  }
}

function requireUnique(files: readonly ScannedFile[]): void {
  const seen = new Set<string>()
  for (const [index, { path }] of files.entries()) {
    if (seen.has(path)) throw invalidFields({ path: `files.${index}.path`, message: 'names a file twice' })
    seen.add(path)
  }
}
