// Earlier verdicts of an organisation on the same statement. If they are clear enough, they decide without asking a model.
// The corpus never crosses organisations and ignores changes by forks and bots. It never suppresses secrets or errors of high
// confidence.
import type { Finding } from '@cowrie/analysis/report/finding.ts'
import { SECRET_RULES } from '@cowrie/analysis/secrets/rules.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { reviewSettings } from '../settings.ts'
import type { FindingStatus, Judge, Judgement } from './findings-sql.ts'
import type { TrackedFinding } from './tracked-finding.ts'

const { review_corpus_enabled, review_corpus_max_entries, review_corpus_promote_threshold } =
  reviewSettings.settings

/** A person's verdict weighs most. History repeats earlier verdicts, so it adds nothing. */
const WEIGHTS: Record<Judge, number> = { person: 3, model: 1, history: 0 }
/** Verdicts from one pull request alone suppress nothing in others. */
const PULLS_MIN = 2

export type VerdictChange = {
  readonly ruleId: string
  readonly caseKey: string
  readonly status: FindingStatus
  readonly adjudicatedBy: Judge | null
  /** The change comes from a fork or a bot, which could request any number of verdicts. */
  readonly isUntrusted: boolean
  readonly now: { readonly status: FindingStatus; readonly by: Judge | null }
}

/** Runs in the transaction of the verdicts. A new verdict on a finding replaces its previous one. */
export async function recordVerdicts(
  app: App,
  tx: Tx,
  org: OrgId,
  changes: readonly VerdictChange[],
): Promise<void> {
  const most = app.settings.get(review_corpus_max_entries)
  if (!app.settings.get(review_corpus_enabled) || most === 0) return
  const trusted = changes.filter(({ isUntrusted }) => !isUntrusted)
  // A fixed lock order prevents deadlocks between concurrent verdicts.
  for (const change of trusted.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))) {
    const { ruleId, caseKey, now } = change
    const before = { status: change.status, by: change.adjudicatedBy }
    const confirmed = weightOf(now, 'confirmed') - weightOf(before, 'confirmed')
    const refuted = weightOf(now, 'refuted') - weightOf(before, 'refuted')
    if (confirmed !== 0 || refuted !== 0) await addWeights(tx, org, { ruleId, caseKey, confirmed, refuted })
  }
  await evictEntries(tx, org, most)
}

/** Verdicts from history, by fingerprint. */
export async function recallVerdicts(
  app: App,
  tx: Tx,
  org: OrgId,
  findings: readonly TrackedFinding[],
): Promise<Map<string, Judgement>> {
  const judgements = new Map<string, Judgement>()
  if (!app.settings.get(review_corpus_enabled) || findings.length === 0) return judgements
  const entries = byKey(await findCorpusEntries(tx, org, findings))
  const support = byKey(await findRefutationSupport(tx, org, findings))
  const threshold = app.settings.get(review_corpus_promote_threshold)
  for (const finding of findings) {
    const entry = entries.get(keyOf(finding))
    const status = entry ? verdictFrom(entry, threshold) : null
    if (!entry || status === null) continue
    if (status === 'refuted' && !maySuppress(finding, support.get(keyOf(finding)))) continue
    const evidence = { history: { confirmed: entry.confirmed, refuted: entry.refuted, threshold } }
    judgements.set(finding.fingerprint, { status, by: 'history', evidence })
  }
  return judgements
}

function verdictFrom({ confirmed, refuted }: CorpusEntry, threshold: number): 'confirmed' | 'refuted' | null {
  if (refuted - confirmed >= threshold) return 'refuted'
  return confirmed - refuted >= threshold ? 'confirmed' : null
}

function maySuppress(finding: TrackedFinding, support: RefutationSupport | undefined): boolean {
  const isCertain = finding.severity === 'error' && finding.confidence === 'high'
  if (isCertain || finding.ruleId.startsWith(SECRET_RULE_PREFIX)) return false
  return support?.hasPerson === true && support.pulls >= PULLS_MIN
}

const SECRET_RULE_PREFIX = 'SEC-'
const LIVE_SECRETS = new Set(SECRET_RULES.filter(({ isLive }) => isLive).map(({ id }) => id))

/** The format alone proves a live secret, so verdicts on similar findings do not apply to it. */
export const isLiveSecret = ({ ruleId }: Pick<Finding, 'ruleId'>): boolean => LIVE_SECRETS.has(ruleId)

const weightOf = (judgement: { status: FindingStatus; by: Judge | null }, verdict: FindingStatus): number =>
  judgement.by !== null && judgement.status === verdict ? WEIGHTS[judgement.by] : 0

const keyOf = ({ ruleId, caseKey }: { ruleId: string; caseKey: string }): string => `${ruleId} ${caseKey}`

const byKey = <T extends { ruleId: string; caseKey: string }>(rows: readonly T[]): Map<string, T> =>
  new Map(rows.map((row) => [keyOf(row), row]))

type CorpusEntry = { ruleId: string; caseKey: string; confirmed: number; refuted: number }
type CaseRef = Pick<CorpusEntry, 'ruleId' | 'caseKey'>

function findCorpusEntries(tx: Tx, org: OrgId, cases: readonly CaseRef[]): Promise<CorpusEntry[]> {
  return tx.content.rows<CorpusEntry>`
    select rule_id as "ruleId", case_key as "caseKey", confirmed, refuted from review_corpus
    where org_id = ${org} and (rule_id, case_key) in (
      select rule, key from unnest(${cases.map(({ ruleId }) => ruleId)}::text[],
                                   ${cases.map(({ caseKey }) => caseKey)}::text[]) as wanted (rule, key))`
}

type RefutationSupport = CaseRef & { pulls: number; hasPerson: boolean }

/** How many pull requests refuted the same case, without forks and bots, and whether a person did. */
function findRefutationSupport(tx: Tx, org: OrgId, cases: readonly CaseRef[]): Promise<RefutationSupport[]> {
  return tx.content.rows<RefutationSupport>`
    select finding.rule_id as "ruleId", finding.case_key as "caseKey",
           (count(distinct (finding.repo_id, finding.pr)))::int as pulls,
           bool_or(finding.adjudicated_by = 'person') as "hasPerson"
    from review_findings finding join review_runs run on run.id = finding.run_id
    where finding.org_id = ${org} and finding.status = 'refuted' and finding.adjudicated_by in ('person', 'model')
      and not run.is_fork and not run.is_bot and (finding.rule_id, finding.case_key) in (
        select rule, key from unnest(${cases.map(({ ruleId }) => ruleId)}::text[],
                                     ${cases.map(({ caseKey }) => caseKey)}::text[]) as wanted (rule, key))
    group by finding.rule_id, finding.case_key`
}

/** Adds weights. Revoked verdicts have negative weights. */
async function addWeights(tx: Tx, org: OrgId, change: CorpusEntry): Promise<void> {
  const { ruleId, caseKey, confirmed, refuted } = change
  await tx.content.rows`
    insert into review_corpus (org_id, rule_id, case_key, confirmed, refuted, last_seen)
    values (${org}, ${ruleId}, ${caseKey}, ${Math.max(0, confirmed)}, ${Math.max(0, refuted)}, ${tx.now})
    on conflict (org_id, rule_id, case_key) do update
    set confirmed = least(1000000, greatest(0, review_corpus.confirmed + ${confirmed})),
        refuted = least(1000000, greatest(0, review_corpus.refuted + ${refuted})), last_seen = ${tx.now}`
}

/** Keeps `most` entries: those of this transaction first, then by total weight, then the most recent. */
async function evictEntries(tx: Tx, org: OrgId, most: number): Promise<void> {
  await tx.content.rows`
    delete from review_corpus
    where org_id = ${org} and (rule_id, case_key) in (
      select rule_id, case_key from review_corpus where org_id = ${org}
      order by (last_seen = ${tx.now}) desc, confirmed + refuted desc, last_seen desc, rule_id, case_key offset ${most})`
}
