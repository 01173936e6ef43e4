// What an organisation has said of faults of the same rule and shape. Where that is clear enough, it is said again without
// asking anybody. It never crosses organisations, and no live secret is ever waved through by it.
import { allRules, type Finding } from '../catalogue/catalogue.ts'
import type { OrgId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/db/tx.ts'
import { addWeights, evict, rememberedOf } from './corpus-sql.ts'
import type { FindingStatus, Judge, Judgement } from './findings-sql.ts'
import { reviewSettings } from './settings.ts'

const { review_corpus_enabled, review_corpus_max_entries, review_corpus_promote_threshold } =
  reviewSettings.settings

/** A person looked at it and answers for it. History repeats what others said, and adds nothing. */
const WEIGHTS: Record<Judge, number> = { person: 3, model: 1, history: 0 }

export type Changed = {
  readonly ruleId: string
  readonly shape: string
  readonly status: FindingStatus
  readonly adjudicatedBy: Judge | null
  readonly now: { readonly status: FindingStatus; readonly by: Judge }
}

/** In the transaction of the verdicts. The last word on a finding takes the place of the one before. */
export async function remember(app: App, tx: Tx, org: OrgId, changes: readonly Changed[]): Promise<void> {
  const most = app.settings.get(review_corpus_max_entries)
  if (!app.settings.get(review_corpus_enabled) || most === 0) return
  // In one order for everybody, so that two who judge at once never wait for each other.
  for (const change of changes.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))) {
    const { ruleId, shape, now } = change
    const before = { status: change.status, by: change.adjudicatedBy }
    const confirmed = weightOf(now, 'confirmed') - weightOf(before, 'confirmed')
    const refuted = weightOf(now, 'refuted') - weightOf(before, 'refuted')
    if (confirmed !== 0 || refuted !== 0) await addWeights(tx, org, { ruleId, shape, confirmed, refuted })
  }
  await evict(tx, org, most)
}

/** What history says of findings, by fingerprint. */
export async function recall(
  app: App,
  tx: Tx,
  org: OrgId,
  findings: readonly Finding[],
): Promise<Map<string, Judgement>> {
  const judgements = new Map<string, Judgement>()
  if (!app.settings.get(review_corpus_enabled) || findings.length === 0) return judgements
  const rows = await rememberedOf(tx, org, findings)
  const known = new Map(rows.map((row) => [keyOf(row), row]))
  const threshold = app.settings.get(review_corpus_promote_threshold)
  for (const finding of findings) {
    const row = known.get(keyOf(finding))
    const lead = row ? row.refuted - row.confirmed : 0
    const status = lead >= threshold ? 'refuted' : -lead >= threshold ? 'confirmed' : null
    if (!row || status === null || (status === 'refuted' && isLiveSecret(finding))) continue
    const evidence = { history: { confirmed: row.confirmed, refuted: row.refuted, threshold } }
    judgements.set(finding.fingerprint, { status, by: 'history', evidence })
  }
  return judgements
}

const LIVE_SECRETS = new Set(
  allRules.filter(({ id, isForTests }) => isForTests && id.startsWith('SEC-')).map(({ id }) => id),
)

/** What is proven by its own shape: no verdict on others of its kind says anything about it. */
export const isLiveSecret = ({ ruleId }: Pick<Finding, 'ruleId'>): boolean => LIVE_SECRETS.has(ruleId)

const weightOf = (said: { status: FindingStatus; by: Judge | null }, verdict: FindingStatus): number =>
  said.by !== null && said.status === verdict ? WEIGHTS[said.by] : 0

const keyOf = ({ ruleId, shape }: { ruleId: string; shape: string }): string => `${ruleId} ${shape}`
