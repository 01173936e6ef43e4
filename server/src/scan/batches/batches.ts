// Splits the files of a scan into batches, which are scanned apart.
import { isResource, usesResources } from '@cowrie/analysis/engine/skipped-files.ts'
import { likelyLanguageOf } from '@cowrie/analysis/engine/source-form.ts'
import type { ScannedFile } from '@cowrie/analysis/report/finding.ts'

/** Files of one language, so that the analysis can follow calls between them. */
export type Batch = {
  readonly files: readonly ScannedFile[]
  /** Configuration of the project, which another batch reports. */
  readonly resources: readonly ScannedFile[]
  /** Code that these files use, which another batch reports. */
  readonly shared: readonly ScannedFile[]
}

const BATCH_LENGTH_MAX = 1_000_000
const BATCH_FILES_MAX = 400
const RESOURCES_LENGTH_MAX = 500_000

/** By language and path, because related files are usually neighbours. */
export function batchesOf(files: readonly ScannedFile[]): Batch[] {
  const resources = resourcesIn(files)
  const byLanguage = Map.groupBy(files, ({ path }) => likelyLanguageOf(path))
  return [...byLanguage].flatMap(([language, sameLanguage]) =>
    splitBySize(sameLanguage.toSorted(byPath)).map((batch) => ({
      files: batch,
      resources: usesResources(language) ? resources : [],
      shared: [],
    })),
  )
}

function splitBySize(files: readonly ScannedFile[]): ScannedFile[][] {
  const batches: ScannedFile[][] = []
  let length = 0
  for (const file of files) {
    const last = batches.at(-1)
    length += file.content.length
    if (last && length <= BATCH_LENGTH_MAX && last.length < BATCH_FILES_MAX) last.push(file)
    else {
      batches.push([file])
      length = file.content.length
    }
  }
  return batches
}

/** The smallest ones first, because the large ones are translations. */
function resourcesIn(files: readonly ScannedFile[]): ScannedFile[] {
  let room = RESOURCES_LENGTH_MAX
  return files
    .filter(({ path }) => isResource(path))
    .toSorted((one, other) => one.content.length - other.content.length || byPath(one, other))
    .filter(({ content }) => {
      room -= content.length
      return room >= 0
    })
}

export const byPath = (one: { path: string }, other: { path: string }): number =>
  one.path < other.path ? -1 : 1
