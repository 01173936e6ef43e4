// Findings in the portions in which a model is asked about them: a few of one file, for one lane.
import type { LocatedFinding } from '../findings/located-finding.ts'

export type LaneMode = 'open' | 'verify-frontier' | 'frontier'

export type Batch = {
  readonly path: string
  readonly findings: readonly LocatedFinding[]
  /** Whether the frontier lane is wished for; policy and platform have the last word. */
  readonly wantsFrontier: boolean
}

const BATCH_MAX = 6

/** In the order of the findings, which is by weight: what matters most is asked first, while there is budget. */
export function createBatches(findings: readonly LocatedFinding[], mode: LaneMode): Batch[] {
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

const wantsFrontier = ({ severity }: LocatedFinding, mode: LaneMode): boolean =>
  mode === 'frontier' || (mode === 'verify-frontier' && severity === 'error')
