// The training corpus: the pairs of every allowed package, without those held out for evaluation.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isPermissive, readLicence } from './licence.ts'
import { pairsBelow } from './mine.ts'
import { duplicateDetector } from './near-duplicates.ts'
import type { Pair } from './pair.ts'

export type TrainingPair = Pair & { readonly package: string }
export type PackageProvenance = {
  readonly source: string
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly pairs: number
}
export type Corpus = { readonly pairs: TrainingPair[]; readonly provenance: PackageProvenance[] }

/** Limits large packages, such as generated clients. */
const PAIRS_PER_PACKAGE_MAX = 2_500
/** Larger files are usually bundles or data. */
const FILE_BYTES_MAX = 400 * 1024

/**
 * Reads `<folder>/<source>/<package>/…`. Skips held-out packages, and every pair that resembles one of
 * theirs or of `measured`, because functions are copied between packages.
 */
export function readCorpus(
  folder: string,
  isHeldOut: (name: string) => boolean,
  measured: readonly Pair[],
): Corpus {
  const packages = packagesIn(folder)
  const kept = packages.filter(({ name }) => isHeldOut(name)).flatMap(({ path }) => pairsBelow(path))
  const isLike = duplicateDetector([...measured, ...kept])
  const lessons: TrainingPair[] = []
  const origins: PackageProvenance[] = []
  const seen = new Set<string>()
  for (const { source, name, path } of packages) {
    const packaged = readLicence(source, path)
    if (isHeldOut(name) || !packaged || !isPermissive(packaged.licence)) continue
    const pairs = spread(
      pairsBelow(path, () => true, FILE_BYTES_MAX).filter((pair) => isNew(pair, seen)),
    ).filter((pair) => !isLike(pair))
    if (pairs.length === 0) continue
    origins.push({ source, name: name.replace('+', '/'), ...packaged, pairs: pairs.length })
    for (const pair of pairs) lessons.push({ ...pair, package: `${source}/${name}` })
  }
  return { pairs: lessons, provenance: origins }
}

type PackageFolder = { readonly source: string; readonly name: string; readonly path: string }

function packagesIn(folder: string): PackageFolder[] {
  const sorted = (path: string) => readdirSync(path).sort()
  return sorted(folder).flatMap((source) =>
    sorted(join(folder, source)).map((name) => ({ source, name, path: join(folder, source, name) })),
  )
}

function isNew({ question, code }: Pair, seen: Set<string>): boolean {
  const key = `${question}\n${code.replace(/\s+/g, '')}`
  if (seen.has(key)) return false
  seen.add(key)
  return true
}

/** Picks evenly spaced pairs if there are too many. */
function spread(pairs: Pair[]): Pair[] {
  const step = Math.max(1, pairs.length / PAIRS_PER_PACKAGE_MAX)
  const kept = Math.min(pairs.length, PAIRS_PER_PACKAGE_MAX)
  return Array.from({ length: kept }, (_, i) => pairs[Math.floor(i * step)]).filter(
    (pair) => pair !== undefined,
  )
}
