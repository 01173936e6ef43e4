// Groups findings into batches for one model turn: a few findings of one file on one lane.
import type { TrackedFinding } from '../findings/tracked-finding.ts'

export type LaneMode = 'open' | 'verify-frontier' | 'frontier'

export type Batch = {
  readonly path: string
  readonly findings: readonly TrackedFinding[]
  /** Whether the frontier lane is preferred. The organisation's policy and the platform's settings can override it. */
  readonly wantsFrontier: boolean
}

const BATCH_MAX = 6

/** Keeps the order by severity, so that the budget covers the most severe findings first. */
export function createBatches(findings: readonly TrackedFinding[], mode: LaneMode): Batch[] {
  const groups = Map.groupBy(findings, (finding) => `${wantsFrontier(finding, mode)} ${finding.path}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    return Array.from({ length: Math.ceil(group.length / BATCH_MAX) }, (_, at) => ({
      path: first.path,
      findings: group.slice(at * BATCH_MAX, (at + 1) * BATCH_MAX),
      wantsFrontier: wantsFrontier(first, mode),
    }))
  })
}

const wantsFrontier = ({ severity }: TrackedFinding, mode: LaneMode): boolean =>
  mode === 'frontier' || (mode === 'verify-frontier' && severity === 'error')
