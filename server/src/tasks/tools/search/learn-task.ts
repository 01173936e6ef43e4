// Worker task: the secret values in the files of a workspace.
import { secretRanges } from '../../secrets/placeholders.ts'
import { createFileReader, type ScannedFiles } from './file-reader.ts'

export type LearnOutput = {
  readonly values: readonly string[]
  /** The last paths of the input, which there was no time for. */
  readonly left: number
}

const VALUE_CHARACTERS_MIN = 8
const VALUES_MAX = 20_000

export function run(input: ScannedFiles): LearnOutput {
  const { files, counts } = createFileReader(input)
  const values = new Set<string>()
  for (const { raw, spans } of files()) {
    for (const { start, end } of secretRanges(raw, spans(), []))
      if (end - start >= VALUE_CHARACTERS_MIN) values.add(raw.slice(start, end))
    if (values.size >= VALUES_MAX) break
  }
  return { values: [...values], left: counts.left }
}
