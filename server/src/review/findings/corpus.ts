// What an organisation has said of the same statement before. Where that is clear enough, it is said again without asking
// anybody. It never crosses organisations, no stranger and no bot teaches it, and neither a secret nor what is surely an error is
// ever waved through by it.
import { allRules } from '@cowrie/analysis/all-rules.ts'
import type { Finding } from '@cowrie/analysis/report/finding.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { reviewSettings } from '../settings.ts'
import {
  addWeights,
  type CorpusEntry,
  evictEntries,
  findCorpusEntries,
  findRefutationSupport,
  type RefutationSupport,
} from './corpus-sql.ts'
import type { FindingStatus, Judge, Judgement } from './findings-sql.ts'
import type { LocatedFinding } from './located-finding.ts'

const { review_corpus_enabled, review_corpus_max_entries, review_corpus_promote_threshold } =
  reviewSettings.settings

/** A person looked at it and answers for it. History repeats what others said, and adds nothing. */
const WEIGHTS: Record<Judge, number> = { person: 3, model: 1, history: 0 }
/** One pull request alone silences nothing elsewhere. */
const PULLS_MIN = 2

export type VerdictChange = {
  readonly ruleId: string
  readonly caseKey: string
  readonly status: FindingStatus
  readonly adjudicatedBy: Judge | null
  /** Of a change by a stranger or a bot, who could ask for verdicts at will. */
  readonly isUntrusted: boolean
  readonly now: { readonly status: FindingStatus; readonly by: Judge | null }
}

/** In the transaction of the verdicts. The last word on a finding takes the place of the one before. */
export async function recordVerdicts(
  app: App,
  tx: Tx,
  org: OrgId,
  changes: readonly VerdictChange[],
): Promise<void> {
  const most = app.settings.get(review_corpus_max_entries)
  if (!app.settings.get(review_corpus_enabled) || most === 0) return
  const own = changes.filter(({ isUntrusted }) => !isUntrusted)
  // In one order for everybody, so that two who judge at once never wait for each other.
  for (const change of own.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))) {
    const { ruleId, caseKey, now } = change
    const before = { status: change.status, by: change.adjudicatedBy }
    const confirmed = weightOf(now, 'confirmed') - weightOf(before, 'confirmed')
    const refuted = weightOf(now, 'refuted') - weightOf(before, 'refuted')
    if (confirmed !== 0 || refuted !== 0) await addWeights(tx, org, { ruleId, caseKey, confirmed, refuted })
  }
  await evictEntries(tx, org, most)
}

/** What history says of findings, by fingerprint. */
export async function recallVerdicts(
  app: App,
  tx: Tx,
  org: OrgId,
  findings: readonly LocatedFinding[],
): Promise<Map<string, Judgement>> {
  const judgements = new Map<string, Judgement>()
  if (!app.settings.get(review_corpus_enabled) || findings.length === 0) return judgements
  const known = byKey(await findCorpusEntries(tx, org, findings))
  const support = byKey(await findRefutationSupport(tx, org, findings))
  const threshold = app.settings.get(review_corpus_promote_threshold)
  for (const finding of findings) {
    const row = known.get(keyOf(finding))
    const status = row ? verdictFrom(row, threshold) : null
    if (!row || status === null) continue
    if (status === 'refuted' && !maySuppress(finding, support.get(keyOf(finding)))) continue
    const evidence = { history: { confirmed: row.confirmed, refuted: row.refuted, threshold } }
    judgements.set(finding.fingerprint, { status, by: 'history', evidence })
  }
  return judgements
}

function verdictFrom({ confirmed, refuted }: CorpusEntry, threshold: number): 'confirmed' | 'refuted' | null {
  if (refuted - confirmed >= threshold) return 'refuted'
  return confirmed - refuted >= threshold ? 'confirmed' : null
}

function maySuppress(finding: LocatedFinding, support: RefutationSupport | undefined): boolean {
  const isSure = finding.severity === 'error' && finding.confidence === 'high'
  if (isSure || finding.ruleId.startsWith(SECRETS)) return false
  return support?.hasPerson === true && support.pulls >= PULLS_MIN
}

const SECRETS = 'SEC-'
const LIVE_SECRETS = new Set(
  allRules.filter(({ id, isForTests }) => isForTests && id.startsWith(SECRETS)).map(({ id }) => id),
)

/** What is proven by its own shape: no verdict on others of its kind says anything about it. */
export const isLiveSecret = ({ ruleId }: Pick<Finding, 'ruleId'>): boolean => LIVE_SECRETS.has(ruleId)

const weightOf = (said: { status: FindingStatus; by: Judge | null }, verdict: FindingStatus): number =>
  said.by !== null && said.status === verdict ? WEIGHTS[said.by] : 0

const keyOf = ({ ruleId, caseKey }: { ruleId: string; caseKey: string }): string => `${ruleId} ${caseKey}`

const byKey = <T extends { ruleId: string; caseKey: string }>(rows: readonly T[]): Map<string, T> =>
  new Map(rows.map((row) => [keyOf(row), row]))
