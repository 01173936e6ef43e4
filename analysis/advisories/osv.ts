// Reads advisories in the OSV format and finds those of a package version.
import type { Severity } from '../rule.ts'
import { cvssScore } from './cvss.ts'
import { type Ecosystem, isEcosystem, packageKey } from './ecosystems.ts'
import { compareVersions } from './versions.ts'

export type Advisory = {
  readonly id: string
  readonly aliases: readonly string[]
  readonly summary: string
  readonly severity: Severity
  readonly cwe: number
  readonly ecosystem: Ecosystem
  /** Versions that are listed one by one. */
  readonly versions: ReadonlySet<string>
  readonly ranges: readonly (readonly RangeEvent[])[]
}

type RangeEvent = { readonly kind: 'introduced' | 'fixed' | 'last_affected'; readonly version: string }

/** Advisories by package. */
export type AdvisoryIndex = ReadonlyMap<string, readonly Advisory[]>

export type FoundAdvisory = {
  readonly advisory: Advisory
  /** The first version without the fault; null if there is none. */
  readonly fixed: string | null
}

const SUMMARY_LENGTH_MAX = 300
/** Dependency on a vulnerable third-party component. */
const CWE_DEPENDENCY = 1395

/** Adds the packages of a record. False if it is not an OSV record. */
export function addRecord(index: Map<string, Advisory[]>, record: unknown): boolean {
  const { id, affected, withdrawn, aliases, summary, details } = asObject(record)
  if (typeof id !== 'string' || !Array.isArray(affected)) return false
  if (typeof withdrawn === 'string') return true
  const common = {
    id,
    aliases: stringsIn(aliases).slice(0, 5),
    summary: firstLine(typeof summary === 'string' && summary !== '' ? summary : details),
    cwe: cweOf(record),
  }
  for (const each of affected.map(asObject)) {
    const { ecosystem, name } = asObject(each.package)
    if (typeof ecosystem !== 'string' || typeof name !== 'string' || !isEcosystem(ecosystem)) continue
    const advisory: Advisory = {
      ...common,
      severity: severityOf(record, each),
      ecosystem,
      versions: new Set(stringsIn(each.versions)),
      ranges: asList(each.ranges).flatMap(readRange),
    }
    const key = packageKey(ecosystem, name)
    const known = index.get(key)
    if (known) known.push(advisory)
    else index.set(key, [advisory])
  }
  return true
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const stringsIn = (value: unknown): string[] => asList(value).filter((each) => typeof each === 'string')

const firstLine = (text: unknown): string =>
  typeof text === 'string' ? (text.trim().split('\n', 1)[0] ?? '').slice(0, SUMMARY_LENGTH_MAX) : ''

/** Ranges of commits cannot be compared with versions. */
function readRange(range: unknown): RangeEvent[][] {
  const { type, events } = asObject(range)
  if (type !== 'SEMVER' && type !== 'ECOSYSTEM') return []
  return [
    asList(events).flatMap((event): RangeEvent[] => {
      const [entry] = Object.entries(asObject(event))
      const [kind, version] = entry ?? []
      if (typeof version !== 'string') return []
      return kind === 'introduced' || kind === 'fixed' || kind === 'last_affected' ? [{ kind, version }] : []
    }),
  ]
}

function cweOf(record: unknown): number {
  const [first] = stringsIn(asObject(asObject(record).database_specific).cwe_ids)
  const number = Number(/^CWE-(\d{1,4})$/.exec(first ?? '')?.[1])
  return Number.isInteger(number) && number > 0 ? number : CWE_DEPENDENCY
}

const NAMED: Readonly<Record<string, Severity>> = {
  CRITICAL: 'error',
  HIGH: 'error',
  MODERATE: 'warn',
  MEDIUM: 'warn',
  LOW: 'note',
}

function severityOf(record: unknown, affected: Record<string, unknown>): Severity {
  const { id, severity, database_specific: specific } = asObject(record)
  if (typeof id === 'string' && id.startsWith('MAL-')) return 'error'
  for (const { severity: named } of [asObject(affected.database_specific), asObject(specific)]) {
    const known = typeof named === 'string' ? NAMED[named.toUpperCase()] : undefined
    if (known) return known
  }
  const scores = [...asList(affected.severity), ...asList(severity)].flatMap((each) => {
    const { score } = asObject(each)
    return typeof score === 'string' ? (cvssScore(score) ?? []) : []
  })
  const [score] = scores
  if (score === undefined) return 'warn'
  return score >= 7 ? 'error' : score >= 4 ? 'warn' : 'note'
}

/** The advisories of a version, one for each fault. */
export function findAdvisories(
  index: AdvisoryIndex,
  { ecosystem, name, version }: { ecosystem: Ecosystem; name: string; version: string },
): FoundAdvisory[] {
  const found: FoundAdvisory[] = []
  const seen = new Set<string>()
  for (const advisory of index.get(packageKey(ecosystem, name)) ?? []) {
    const ids = [advisory.id, ...advisory.aliases]
    const range = advisory.ranges.find((events) => isInRange(ecosystem, events, version))
    if ((!range && !isListed(advisory, version)) || ids.some((id) => seen.has(id))) continue
    for (const id of ids) seen.add(id)
    found.push({ advisory, fixed: fixedAfter(ecosystem, range ? [range] : advisory.ranges, version) })
  }
  return found
}

const isListed = ({ versions }: Advisory, version: string): boolean =>
  versions.has(version) || versions.has(version.replace(/^v/, ''))

function isInRange(ecosystem: Ecosystem, events: readonly RangeEvent[], version: string): boolean {
  const compare = (other: string) => (other === '0' ? 1 : compareVersions(ecosystem, version, other))
  let isAffected = false
  for (const { kind, version: at } of sortEvents(ecosystem, events)) {
    const order = compare(at)
    if (kind === 'introduced' && order >= 0) isAffected = true
    else if (kind === 'fixed' ? order >= 0 : kind === 'last_affected' && order > 0) isAffected = false
  }
  return isAffected
}

const sortEvents = (ecosystem: Ecosystem, events: readonly RangeEvent[]): RangeEvent[] =>
  events.toSorted((one, other) => {
    if (one.version === '0' || other.version === '0')
      return Number(other.version === '0') - Number(one.version === '0')
    return compareVersions(ecosystem, one.version, other.version)
  })

function fixedAfter(ecosystem: Ecosystem, ranges: Advisory['ranges'], version: string): string | null {
  const fixes = ranges
    .flat()
    .filter(({ kind, version: at }) => kind === 'fixed' && compareVersions(ecosystem, at, version) > 0)
    .map(({ version: at }) => at)
    .sort((one, other) => compareVersions(ecosystem, one, other))
  return fixes[0] ?? null
}
