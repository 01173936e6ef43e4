// Turns the body of a scan request into files and changed lines.
import type { ScannedFile, SkippedFile } from '@cowrie/analysis/report/finding.ts'
import { invalidFields } from '../../kernel/errors.ts'
import { runTask, TaskTimeout, task } from '../../platform/workers/workers.ts'
import type { DiffInput, ParsedDiff, run } from '../diff/diff-task.ts'

export type ScanBody = {
  readonly files?: readonly ScannedFile[] | undefined
  readonly diff?: string | undefined
}

export type ScanInput = Omit<ParsedDiff, 'changed'> & {
  /** Only findings on these lines are reported; undefined reports all findings. */
  readonly changed: ParsedDiff['changed'] | undefined
}

export type TaskContext = { readonly signal: AbortSignal; readonly owner: string }

const PARSE_MS = 10_000
const PARSE_DIFF = task<DiffInput, ReturnType<typeof run>>(new URL('../diff/diff-task.ts', import.meta.url))

export async function readScanInput({ files, diff }: ScanBody, context: TaskContext): Promise<ScanInput> {
  if (files) requireUnique(files)
  if (diff === undefined) return { files: files ?? [], changed: undefined, partial: [], skipped: [] }
  const parsed = await readDiff({ diff, includesText: files === undefined }, context)
  return files
    ? { ...parsed, files, skipped: [...parsed.skipped, ...findUnsentFiles(files, parsed)] }
    : parsed
}

/** Files that the diff changes but the caller did not send. */
function findUnsentFiles(files: readonly ScannedFile[], { changed }: ParsedDiff): SkippedFile[] {
  const sent = new Set(files.map(({ path }) => path))
  return [...changed.keys()].filter((path) => !sent.has(path)).map((path) => ({ path, reason: 'not_sent' }))
}

async function readDiff(input: DiffInput, context: TaskContext): Promise<ParsedDiff> {
  try {
    const parsed = await runTask(PARSE_DIFF, input, { ...context, timeoutMs: PARSE_MS })
    if ('unreadable' in parsed)
      throw invalidFields({ path: 'diff', message: `is not a unified diff: ${parsed.unreadable}` })
    return parsed
  } catch (error) {
    if (!(error instanceof TaskTimeout)) throw error
    throw invalidFields({ path: 'diff', message: 'takes too long to parse; send a smaller diff' })
  }
}

function requireUnique(files: readonly ScannedFile[]): void {
  const seen = new Set<string>()
  for (const [index, { path }] of files.entries()) {
    if (seen.has(path))
      throw invalidFields({ path: `files.${index}.path`, message: 'occurs twice; send each file once' })
    seen.add(path)
  }
}
