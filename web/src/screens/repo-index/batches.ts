// Splits many files into requests that a slow network can carry. Ignore files go with each, because they apply to all.
import type { TextFile } from '../../ui/files/read-files.ts'

const CHARACTERS_MAX = 3_000_000
const FILES_MAX = 500
const IGNORE_FILE = /(^|\/)\.(gitignore|cowrieignore)$/

export function batchesOf(
  files: readonly TextFile[],
  { characters = CHARACTERS_MAX, count = FILES_MAX } = {},
): TextFile[][] {
  const rules = files.filter(({ path }) => IGNORE_FILE.test(path))
  const batches: TextFile[][] = []
  let [batch, room]: [TextFile[], number] = [[], 0]
  for (const file of files.filter((each) => !rules.includes(each))) {
    if (batch.length === 0 || file.content.length > room || batch.length >= count) {
      batch = [...rules]
      room = characters
      batches.push(batch)
    }
    batch.push(file)
    room -= file.content.length
  }
  return batches.length === 0 && rules.length > 0 ? [rules] : batches
}
