// Every statement about what is remembered of verdicts.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'

export type CorpusEntry = { ruleId: string; caseKey: string; confirmed: number; refuted: number }
export type CaseRef = Pick<CorpusEntry, 'ruleId' | 'caseKey'>

export function findCorpusEntries(tx: Tx, org: OrgId, wanted: readonly CaseRef[]): Promise<CorpusEntry[]> {
  return tx.content.rows<CorpusEntry>`
    select rule_id as "ruleId", case_key as "caseKey", confirmed, refuted from review_corpus
    where org_id = ${org} and (rule_id, case_key) in (
      select rule, key from unnest(${wanted.map(({ ruleId }) => ruleId)}::text[],
                                   ${wanted.map(({ caseKey }) => caseKey)}::text[]) as wanted (rule, key))`
}

export type RefutationSupport = CaseRef & { pulls: number; hasPerson: boolean }

/** In how many pull requests of the organisation's own people the same was refuted, and whether by one of them. */
export function findRefutationSupport(
  tx: Tx,
  org: OrgId,
  wanted: readonly CaseRef[],
): Promise<RefutationSupport[]> {
  return tx.content.rows<RefutationSupport>`
    select finding.rule_id as "ruleId", finding.case_key as "caseKey",
           (count(distinct (finding.repo_id, finding.pr)))::int as pulls,
           bool_or(finding.adjudicated_by = 'person') as "hasPerson"
    from review_findings finding join review_runs run on run.id = finding.run_id
    where finding.org_id = ${org} and finding.status = 'refuted' and finding.adjudicated_by in ('person', 'model')
      and not run.is_fork and not run.is_bot and (finding.rule_id, finding.case_key) in (
        select rule, key from unnest(${wanted.map(({ ruleId }) => ruleId)}::text[],
                                     ${wanted.map(({ caseKey }) => caseKey)}::text[]) as wanted (rule, key))
    group by finding.rule_id, finding.case_key`
}

/** Adds weights, which may be negative for what is taken back. */
export async function addWeights(tx: Tx, org: OrgId, change: CorpusEntry): Promise<void> {
  const { ruleId, caseKey, confirmed, refuted } = change
  await tx.content.rows`
    insert into review_corpus (org_id, rule_id, case_key, confirmed, refuted, last_seen)
    values (${org}, ${ruleId}, ${caseKey}, ${Math.max(0, confirmed)}, ${Math.max(0, refuted)}, ${tx.now})
    on conflict (org_id, rule_id, case_key) do update
    set confirmed = least(1000000, greatest(0, review_corpus.confirmed + ${confirmed})),
        refuted = least(1000000, greatest(0, review_corpus.refuted + ${refuted})), last_seen = ${tx.now}`
}

/** Keeps so many: what was seen just now, then what most was said about, then what was seen last. */
export async function evictEntries(tx: Tx, org: OrgId, most: number): Promise<void> {
  await tx.content.rows`
    delete from review_corpus
    where org_id = ${org} and (rule_id, case_key) in (
      select rule_id, case_key from review_corpus where org_id = ${org}
      order by (last_seen = ${tx.now}) desc, confirmed + refuted desc, last_seen desc, rule_id, case_key offset ${most})`
}
