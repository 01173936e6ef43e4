// The difference between two texts as pieces that can be found again: each FIND is whole lines that occur once.

export type Hunk = { readonly find: string; readonly with: string }

/** How far two texts are searched for the place where they agree again; beyond it the rest is one piece. */
const LOOKAHEAD_LINES = 200
/** Lines taken in around a change to make it unique, and changes in one file; beyond either it is written as a whole. */
const AROUND_LINES_MAX = 30
const HUNKS_MAX = 60

/** Null when the change cannot be said in a few unique pieces: then the file is better written as a whole. */
export function hunksOf(before: string, after: string): readonly Hunk[] | null {
  // How a file ends is kept by whoever applies this.
  const old = withoutEnd(before).split('\n')
  const fresh = withoutEnd(after).split('\n')
  const regions = regionsOf(old, fresh)
  if (regions.length > HUNKS_MAX) return null

  const hunks: Hunk[] = []
  let done = 0
  let now = withoutEnd(before)
  for (const [i, region] of regions.entries()) {
    const lines = fresh.slice(region.freshFrom, region.freshTo)
    const until = regions[i + 1]?.from ?? old.length
    const grown = grow(old, region, { done, until, now, before, isEmptied: lines.join('').trim() === '' })
    if (grown === null) return null
    const find = old.slice(grown.from, grown.to).join('\n')
    const replacement = [
      ...old.slice(grown.from, region.from),
      ...lines,
      ...old.slice(region.to, grown.to),
    ].join('\n')
    hunks.push({ find, with: replacement })
    now = now.replace(find, () => replacement)
    done = grown.to
  }
  return hunks
}

const withoutEnd = (text: string): string => text.replace(/\n$/, '')

/** Lines `from` to `to` of the old text become those from `freshFrom` to `freshTo` of the new one. */
type Region = {
  readonly from: number
  readonly to: number
  readonly freshFrom: number
  readonly freshTo: number
}

function regionsOf(old: readonly string[], fresh: readonly string[]): readonly Region[] {
  const regions: Region[] = []
  let i = 0
  let j = 0
  while ((i < old.length || j < fresh.length) && regions.length <= HUNKS_MAX) {
    if (i < old.length && old[i] === fresh[j]) {
      i += 1
      j += 1
      continue
    }
    const [skipped, added] = untilTheyAgree(old, fresh, i, j)
    regions.push({ from: i, to: i + skipped, freshFrom: j, freshTo: j + added })
    i += skipped
    j += added
  }
  return regions
}

function untilTheyAgree(old: readonly string[], fresh: readonly string[], i: number, j: number) {
  for (let distance = 1; distance <= LOOKAHEAD_LINES; distance += 1) {
    for (let skipped = 0; skipped <= distance; skipped += 1) {
      const added = distance - skipped
      if (agree(old, fresh, i + skipped, j + added)) return [skipped, added] as const
    }
  }
  return [old.length - i, fresh.length - j] as const
}

/** Two lines in a row, or the end of both: one line alone, say a closing brace, agrees by chance. */
function agree(old: readonly string[], fresh: readonly string[], i: number, j: number): boolean {
  if (i >= old.length || j >= fresh.length) return i === old.length && j === fresh.length
  return old[i] === fresh[j] && old[i + 1] === fresh[j + 1]
}

type Around = {
  /** Lines before `done` and from `until` on belong to the neighbours. */
  readonly done: number
  readonly until: number
  /** The text with the pieces before this one applied, and without: a piece is unique in both. */
  readonly now: string
  readonly before: string
  /** Nothing is left of the region, and a piece that becomes nothing is easily misread. */
  readonly isEmptied: boolean
}

/** Takes in lines around a region until it is found once, starts and ends with words, and something stays of it. */
function grow(old: readonly string[], region: Region, { done, until, now, before, isEmptied }: Around) {
  let { from, to } = region
  for (let step = 0; step <= AROUND_LINES_MAX; step += 1) {
    const lines = old.slice(from, to)
    const find = lines.join('\n')
    const stays = [...old.slice(from, region.from), ...old.slice(region.to, to)].join('').trim() !== ''
    const endsBlank = isBlank(lines.at(-1)) && to < until
    const isFit = find.trim() !== '' && !(isBlank(lines[0]) && from > done) && !endsBlank
    if (isFit && (stays || !isEmptied) && occursOnce(before, find) && occursOnce(now, find))
      return { from, to }
    if (endsBlank && lines.length > 0) to += 1
    else if (from > done) from -= 1
    else if (to < until) to += 1
    else return null
  }
  return null
}

const isBlank = (line: string | undefined): boolean => (line ?? '').trim() === ''

function occursOnce(text: string, piece: string): boolean {
  const first = text.indexOf(piece)
  return first >= 0 && !text.includes(piece, first + 1)
}
