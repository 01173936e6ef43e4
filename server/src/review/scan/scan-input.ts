// What is to be scanned, from what a caller sends: files, a diff, or both.
import type { ScannedFile, SkippedFile } from '@cowrie/analysis/report/finding.ts'
import { invalidFields } from '../../kernel/errors.ts'
import { runTask, TaskTooSlow, task } from '../../platform/workers/workers.ts'
import type { DiffInput, ReadDiff, run } from '../diff/diff-task.ts'

export type ScanBody = {
  readonly files?: readonly ScannedFile[] | undefined
  readonly diff?: string | undefined
}

export type ScanInput = Omit<ReadDiff, 'changed'> & {
  /** Only what these lines brought is reported; undefined reports everything. */
  readonly changed: ReadDiff['changed'] | undefined
}

export type Waiting = { readonly signal: AbortSignal; readonly owner: string }

const READ_MS = 10_000
const READ = task<DiffInput, ReturnType<typeof run>>(new URL('../diff/diff-task.ts', import.meta.url))

export async function scanInput({ files, diff }: ScanBody, waiting: Waiting): Promise<ScanInput> {
  if (files) requireUnique(files)
  if (diff === undefined) return { files: files ?? [], changed: undefined, partial: [], skipped: [] }
  const read = await diffOf({ diff, isWithTexts: files === undefined }, waiting)
  return files ? { ...read, files, skipped: [...read.skipped, ...missingFrom(files, read)] } : read
}

/** Files that the diff changes and the caller did not send: their texts are not known. */
function missingFrom(files: readonly ScannedFile[], { changed }: ReadDiff): SkippedFile[] {
  const sent = new Set(files.map(({ path }) => path))
  return [...changed.keys()].filter((path) => !sent.has(path)).map((path) => ({ path, reason: 'not_sent' }))
}

async function diffOf(input: DiffInput, waiting: Waiting): Promise<ReadDiff> {
  try {
    const read = await runTask(READ, input, { ...waiting, timeoutMs: READ_MS })
    if ('unreadable' in read)
      throw invalidFields({ path: 'diff', message: `is no unified diff: ${read.unreadable}` })
    return read
  } catch (error) {
    if (!(error instanceof TaskTooSlow)) throw error
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
