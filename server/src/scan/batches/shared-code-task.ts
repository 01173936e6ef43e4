// Worker task: finds the files of other batches that the files of each batch mention by name.
import type { ScannedFile } from '@cowrie/analysis/report/finding.ts'
import type { SharedPaths } from './shared-code.ts'

const SHARED_LENGTH_MAX = 150_000
const FILE_LENGTH_MAX = 40_000
/** Shared files use further ones, such as the class behind an interface. */
const ROUNDS = 2

export function run({ batches }: { readonly batches: readonly (readonly ScannedFile[])[] }): SharedPaths {
  const words = new Map(batches.flat().map((file) => [file, wordsOf(file.content)]))
  return batches.map((own) => {
    const isOwn = new Set(own)
    const others = batches.flat().filter((file) => !isOwn.has(file) && file.content.length <= FILE_LENGTH_MAX)
    const chosen: ScannedFile[] = []
    let room = SHARED_LENGTH_MAX
    let users: readonly ScannedFile[] = own
    for (let round = 0; round < ROUNDS; round++) {
      const found = mentioned(others, users, words).filter((file) => {
        if (chosen.includes(file) || file.content.length > room) return false
        room -= file.content.length
        return true
      })
      chosen.push(...found)
      users = found
    }
    return chosen.map(({ path }) => path)
  })
}

/** The files that the users mention, those of most users first. */
function mentioned(
  files: readonly ScannedFile[],
  users: readonly ScannedFile[],
  words: ReadonlyMap<ScannedFile, ReadonlySet<string>>,
): ScannedFile[] {
  const counts = new Map<string, number>()
  for (const user of users)
    for (const word of words.get(user) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  const countOf = (file: ScannedFile) => counts.get(moduleName(file.path)) ?? 0
  return files
    .filter((file) => countOf(file) > 0)
    .toSorted(
      (one, other) =>
        countOf(other) - countOf(one) ||
        one.content.length - other.content.length ||
        (one.path < other.path ? -1 : 1),
    )
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[A-Za-z_$][\w$-]*/g))

/** The name that code uses for a file: `Money` of `a/Money.java`, `pay` of `pay/index.ts`. */
function moduleName(path: string): string {
  const [, folder = '', name = ''] = /(?:([^/]*)\/)?([^/]*?)\.[^/]*$/.exec(path) ?? []
  return /^(?:index|__init__|mod)$/.test(name) ? folder : name
}
