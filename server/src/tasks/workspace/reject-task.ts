// Worker task: takes back hunks of changed files, and compares the results with the earlier state.
import { run as compare } from './compare-task.ts'
import {
  CONTEXT_LINES,
  type ComparedFile,
  EDITED_LINES_MAX,
  type FileDifference,
  isText,
} from './differences.ts'
import { type HunkStart, rejectHunks } from './reject-hunks.ts'

export type RejectedFile = ComparedFile & {
  /** Null: all of them. */
  readonly hunks: readonly HunkStart[] | null
}
export type RejectInput = { readonly files: readonly RejectedFile[]; readonly patchBytesMax: number }

/** Null where the whole file returns to its earlier state. */
export type RejectResult = { readonly path: string; readonly text: string | null }
export type RejectOutput =
  | { readonly unknown: readonly string[] }
  | {
      readonly results: readonly RejectResult[]
      /** Of the results. A file without one is as before. */
      readonly files: readonly FileDifference[]
      readonly tooLarge: readonly string[]
    }

export function run({ files, patchBytesMax }: RejectInput): RejectOutput {
  const unknown: string[] = []
  const results = files.map((file): RejectResult => {
    const { path, before, after, hunks } = file
    if (hunks === null || before === null || after === null) return { path, text: null }
    const old = Buffer.from(before)
    const options = { context: CONTEXT_LINES, editsMax: EDITED_LINES_MAX }
    const left = isText(old) ? rejectHunks(old.toString('utf8'), after, hunks, options) : 'unknown'
    if (left === 'unknown') unknown.push(path)
    return { path, text: typeof left === 'string' ? null : left.text }
  })
  if (unknown.length > 0) return { unknown }
  const changed = results.flatMap(({ path, text }, i) =>
    text === null ? [] : [{ path, before: files[i]?.before ?? null, after: text }],
  )
  return { results, ...compare({ files: changed, patchBytesMax }) }
}
