// The chunks that the second ranking orders: those of the first ranking, and of files that similar commits changed.
import type { RankedChunk } from '../matching/match-ranking.ts'
import type { QueryProfile } from '../matching/query-profile.ts'
import type { Ranking } from './full-scan.ts'

/** Files of the history that the first ranking did not find. */
const HISTORY_FILES_MAX = 30

export type Candidate = RankedChunk & { readonly at: number }

export function candidatesOf(
  { ranking, at, history }: Ranking,
  query: QueryProfile,
  isAllowed: (path: string) => boolean = () => true,
): Candidate[] {
  const scores = query.isAboutChange ? history?.scoreFiles(query.text) : undefined
  const found = ranking.flatMap((each) => {
    const indexed = at(each.at)
    return indexed ? { ...each, indexed, history: scores?.get(indexed.file.path) ?? 0 } : []
  })
  if (!history || !scores) return found
  const paths = new Set(found.map(({ indexed }) => indexed.file.path))
  const best = [...scores].filter(([path]) => isAllowed(path)).slice(0, HISTORY_FILES_MAX)
  const added = best.flatMap(([path, score]) => {
    const place = paths.has(path) ? undefined : history.nearestChunk(path)
    const indexed = place === undefined ? undefined : at(place)
    return place !== undefined && indexed
      ? [{ at: place, indexed, score: 0, lexical: 0, vector: 0, history: score }]
      : []
  })
  return [...found, ...added]
}
