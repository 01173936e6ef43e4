// Finds the code of a project that several batches use, such as helpers that all handlers import.
import { likelyLanguageOf } from '@cowrie/analysis/engine/source-form.ts'
import type { ScannedFile } from '@cowrie/analysis/report/finding.ts'
import { runTask, task } from '../../platform/workers/workers.ts'
import type { Batch } from './batches.ts'

/** The paths of the files that each batch needs besides its own. */
export type SharedPaths = readonly (readonly string[])[]

const SHARED_CODE = task<{ readonly batches: readonly (readonly ScannedFile[])[] }, SharedPaths>(
  new URL('./shared-code-task.ts', import.meta.url),
)

type Limits = {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly owner?: string | undefined
}

/** Adds the shared code to batches whose language has several. */
export async function withSharedCode(batches: readonly Batch[], limits: Limits): Promise<Batch[]> {
  const byLanguage = Map.groupBy(batches, ({ files: [first] }) => likelyLanguageOf(first?.path ?? ''))
  const all = [...byLanguage].map(async ([language, group]) => {
    if (language === null || group.length === 1) return group
    const paths = await runTask(SHARED_CODE, { batches: group.map(({ files }) => files) }, limits)
    const byPath = new Map(group.flatMap(({ files }) => files.map((file) => [file.path, file])))
    return group.map((batch, index) => ({
      ...batch,
      shared: (paths[index] ?? []).flatMap((path) => byPath.get(path) ?? []),
    }))
  })
  return (await Promise.all(all)).flat()
}
