// Compares versions as the registries do: numbers first, then pre-releases before and patches after the release.
import type { Ecosystem } from './ecosystems.ts'

type Version = {
  readonly epoch: number
  readonly numbers: readonly bigint[]
  readonly suffix: readonly string[]
}

/** Negative if the first version is older. */
export function compareVersions(ecosystem: Ecosystem, one: string, other: string): number {
  const [a, b] = [parseVersion(ecosystem, one), parseVersion(ecosystem, other)]
  return (
    a.epoch - b.epoch ||
    compareNumbers(a.numbers, b.numbers) ||
    compareSuffixes(ecosystem, a.suffix, b.suffix)
  )
}

const LENGTH_MAX = 100

function parseVersion(ecosystem: Ecosystem, text: string): Version {
  const written = text
    .trim()
    .toLowerCase()
    .replace(/^[v=]+/, '')
    .slice(0, LENGTH_MAX)
  const [, epoch = '0', rest = ''] = /^(?:(\d{1,6})!)?(.*)$/s.exec(written) ?? []
  // Build numbers do not count. Maven has none.
  const counted = ecosystem === 'Maven' ? rest : rest.replace(/\+.*$/s, '')
  const [release = ''] = /^\d+(?:\.\d+)*/.exec(counted) ?? []
  return {
    epoch: Number(epoch),
    numbers: release === '' ? [] : release.split('.').map((part) => BigInt(part)),
    suffix: counted.slice(release.length).match(/[a-z]+|\d+/g) ?? [],
  }
}

function compareNumbers(one: readonly bigint[], other: readonly bigint[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const [a, b] = [one[at] ?? 0n, other[at] ?? 0n]
    if (a !== b) return a < b ? -1 : 1
  }
  return 0
}

function compareSuffixes(ecosystem: Ecosystem, one: readonly string[], other: readonly string[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at++) {
    const [a, b] = [one[at], other[at]]
    if (a === b) continue
    const difference = rank(ecosystem, a, at) - rank(ecosystem, b, at)
    if (difference !== 0) return difference
    if (a === undefined || b === undefined) continue
    const isNumber = /^\d/.test(a) && /^\d/.test(b)
    return isNumber ? compareNumbers([BigInt(a)], [BigInt(b)]) : a < b ? -1 : 1
  }
  return 0
}

const RANKS: Readonly<Record<string, number>> = {
  dev: -60,
  a: -50,
  alpha: -50,
  b: -40,
  beta: -40,
  m: -35,
  milestone: -35,
  c: -30,
  cr: -30,
  pre: -30,
  preview: -30,
  rc: -30,
  snapshot: -20,
  final: 0,
  ga: 0,
  release: 0,
  p: 20,
  patch: 20,
  pl: 20,
  post: 20,
  sp: 20,
}
/** Ranks of words that semantic versioning compares as plain texts. */
const SEMVER = new Set<Ecosystem>(['npm', 'Go', 'crates.io', 'Pub', 'NuGet'])

/** The end of the version is 0. A number in a pre-release comes before a word. */
function rank(ecosystem: Ecosystem, part: string | undefined, at: number): number {
  if (part === undefined) return at === 0 || !SEMVER.has(ecosystem) ? 0 : -200
  if (SEMVER.has(ecosystem)) return /^\d/.test(part) ? -150 : -100
  if (/^\d/.test(part)) return 10
  return RANKS[part] ?? (ecosystem === 'Maven' ? 5 : -45)
}
