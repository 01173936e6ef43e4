// The commit history of a repository in memory: scores files by the subjects of the commits that changed them.
import { queryTerms } from '../ranking/lexical.ts'
import { createPostings } from '../ranking/postings.ts'
import { countTerms } from '../ranking/tokenize.ts'
import type { Commit } from './history-sql.ts'

export type FileHistory = {
  /** Scores of the files of similar commits, relative to the best. The best first. */
  scoreFiles(query: string): ReadonlyMap<string, number>
  readonly bytes: number
}

/** Similar commits that are read. */
const SIMILAR_MAX = 100
/** A commit counts half as much as one this many commits later. */
const HALF_LIFE = 500
/** Estimated memory of a commit, in addition to its terms and paths. */
const COMMIT_BYTES = 60

/** `commits`: the newest first. */
export function createFileHistory(commits: readonly Commit[]): FileHistory {
  const postings = createPostings()
  const numbers = new Map<string, number>()
  const paths: string[] = []
  let bytes = commits.length * COMMIT_BYTES
  const changed = commits.map((commit, at) => {
    const counts = countTerms(commit.subject)
    postings.add(at, { counts, length: counts.values().reduce((sum, count) => sum + count, 0) })
    bytes += 4 * commit.paths.length
    return Uint32Array.from(commit.paths, (path) => {
      const known = numbers.get(path)
      if (known !== undefined) return known
      numbers.set(path, paths.length)
      bytes += path.length
      return paths.push(path) - 1
    })
  })
  return {
    get bytes() {
      return bytes + postings.bytes
    },
    scoreFiles(query) {
      const scores = new Map<string, number>()
      for (const { at, score } of postings.search(queryTerms(query), SIMILAR_MAX)) {
        const files = changed[at] ?? []
        // A change of many files tells little about each.
        const weight = (score ** 2 / Math.sqrt(files.length)) * 0.5 ** (at / HALF_LIFE)
        for (const file of files) {
          const path = paths[file] as string
          scores.set(path, (scores.get(path) ?? 0) + weight)
        }
      }
      const sorted = [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      const best = sorted[0]?.[1] ?? 1
      return new Map(sorted.map(([path, score]) => [path, score / best]))
    },
  }
}
