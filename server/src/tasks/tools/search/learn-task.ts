// Worker task: the secret values in the files of a workspace.
import { createFileReader, type ScannedFiles } from '@cowrie/workspace/search/file-reader.ts'
import { secretRanges } from '@cowrie/workspace/secrets/placeholders.ts'
import { SECRET_FORMATS } from './secret-formats.ts'

export type LearnOutput = {
  readonly values: readonly string[]
  /** The last paths of the input, which there was no time for. */
  readonly left: number
}

const VALUE_CHARACTERS_MIN = 8
const VALUES_MAX = 20_000

export function run(input: ScannedFiles): LearnOutput {
  const { files, counts } = createFileReader(input, SECRET_FORMATS)
  const values = new Set<string>()
  for (const { raw, spans } of files()) {
    for (const { start, end } of secretRanges(raw, spans(), []))
      if (end - start >= VALUE_CHARACTERS_MIN) values.add(raw.slice(start, end))
    if (values.size >= VALUES_MAX) break
  }
  return { values: [...values], left: counts.left }
}
