// Splits files into calls that a slow network can carry. The split is deterministic, so that a lost call can be repeated.
import type { IndexFile } from './files.ts'

const CHARACTERS_MAX = 3_000_000
const FILES_MAX = 500

export function batchesOf(
  files: readonly IndexFile[],
  { characters = CHARACTERS_MAX, count = FILES_MAX } = {},
): IndexFile[][] {
  const batches: IndexFile[][] = []
  let room = 0
  for (const file of files) {
    const last = batches.at(-1)
    if (!last || file.content.length > room || last.length >= count) {
      batches.push([file])
      room = characters - file.content.length
    } else {
      last.push(file)
      room -= file.content.length
    }
  }
  return batches
}
