// Worker task: compares changed files. The effort is limited, for each file and for all of them.
import { type ComparedFile, EDITED_LINES_MAX, type FileDifference, toDifference } from './differences.ts'

export type CompareInput = {
  readonly files: readonly ComparedFile[]
  /** Files beyond this many bytes of patches are not compared. */
  readonly patchBytesMax: number
}
export type CompareOutput = {
  readonly files: readonly FileDifference[]
  readonly tooLarge: readonly string[]
}

/** A comparison takes the square of its edited lines. This is enough for six files with the most edits. */
const EFFORT_MAX = 6 * EDITED_LINES_MAX ** 2

export function run({ files, patchBytesMax }: CompareInput, effortMax = EFFORT_MAX): CompareOutput {
  const compared: FileDifference[] = []
  const tooLarge: string[] = []
  let [bytes, effort] = [0, effortMax]
  for (const file of files) {
    if (bytes > patchBytesMax) {
      tooLarge.push(file.path)
      continue
    }
    const editsMax = Math.min(EDITED_LINES_MAX, Math.floor(Math.sqrt(effort)))
    const difference = toDifference(file, editsMax)
    if (!difference) continue
    const { isWhole, added, removed, patch } = difference
    effort = Math.max(0, effort - (isWhole ? editsMax : added + removed) ** 2)
    bytes += Buffer.byteLength(patch)
    if (bytes > patchBytesMax) tooLarge.push(file.path)
    else compared.push(difference)
  }
  return { files: compared, tooLarge }
}
