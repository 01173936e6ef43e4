// What our rules say about a change that a run has made: faults that it brought, not those that were there before.
import { diffArrays } from 'diff'
import { type ScanFinding, type ScannedFile, scan, shownFinding } from '../catalogue/catalogue.ts'
import type { App } from '../platform/app.ts'
import type { FileEdit } from './edits/edits.ts'

export type Review = {
  /** `unavailable` when the scan itself failed; the run is as good as ever. */
  readonly status: 'complete' | 'unavailable'
  readonly findings: readonly ScanFinding[]
}

const SCAN_MS = 10_000
const BYTES_MAX = 2 * 1024 * 1024
const FINDINGS_MAX = 50
/** Texts that differ by more are taken for rewritten between what they have in common at both ends. */
const DIFFERENCES_MAX = 2_000

/** Null where no rule has anything to say. `files` is what the change was made from. Never fails. */
export async function reviewOf(
  app: Pick<App, 'log'>,
  edits: readonly FileEdit[],
  files: ReadonlyMap<string, string>,
): Promise<Review | null> {
  const written = edits.filter(({ action }) => action !== 'delete')
  if (written.length === 0) return null
  try {
    const changed = new Map(
      written.map(({ path, content }) => [path, linesBrought(files.get(path) ?? '', content)]),
    )
    const report = await scan(resultOf(written, edits, files), { changed, timeoutMs: SCAN_MS })
    const findings = report.findings.slice(0, FINDINGS_MAX).map(shownFinding)
    return findings.length === 0 ? null : { status: 'complete', findings }
  } catch (error) {
    app.log.warn({ err: error }, 'the change of a run could not be reviewed')
    return { status: 'unavailable', findings: [] }
  }
}

/** The files as they are after the change: those it wrote, and as many others as there is room for. */
function resultOf(
  written: readonly FileEdit[],
  edits: readonly FileEdit[],
  files: ReadonlyMap<string, string>,
): ScannedFile[] {
  const result: ScannedFile[] = written.map(({ path, content }) => ({ path, content }))
  const touched = new Set(edits.map(({ path }) => path))
  let room = BYTES_MAX - result.reduce((sum, { content }) => sum + content.length, 0)
  for (const [path, content] of files) {
    if (touched.has(path) || content.length > room) continue
    room -= content.length
    result.push({ path, content })
  }
  return result
}

/** The numbers of the lines of the new text that the old one did not have. */
export function linesBrought(older: string, newer: string): Set<number> {
  const [before, after] = [older.split('\n'), newer.split('\n')]
  const parts = diffArrays(before, after, { maxEditLength: DIFFERENCES_MAX })
  if (!parts) return between(before, after)
  const brought = new Set<number>()
  let line = 1
  for (const { added, removed, count } of parts) {
    if (removed) continue
    for (let step = 0; step < count; step++, line++) if (added) brought.add(line)
  }
  return brought
}

function between(before: readonly string[], after: readonly string[]): Set<number> {
  let from = 0
  while (from < after.length && before[from] === after[from]) from++
  let to = after.length
  while (to > from && before[before.length - (after.length - to) - 1] === after[to - 1]) to--
  return new Set(Array.from({ length: to - from }, (_, index) => from + index + 1))
}
