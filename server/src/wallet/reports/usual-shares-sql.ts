// The usual cost of quoted work, of one organisation or of all. All of them need the tenant scope `platform`.
import type { OrgId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { HoldTerms } from '../holds/hold-pricing.ts'

export type UsualShare = {
  kind: NonNullable<HoldTerms['workKind']>
  model: string
  /** The number of `promptSizes` that the prompt reaches. */
  promptSize: number
  samples: number
  orgs: number
  p50Permille: number
  p90Permille: number
}

export type UsualShareQuery = {
  /** Null: all organisations. */
  readonly orgId: OrgId | null
  readonly since: Date
  /** Work that was active later may continue. */
  readonly until: Date
  readonly promptSizes: readonly number[]
  readonly holdsMax: number
  /** Smaller reservations are left out: rounding to minor units distorts their share. */
  readonly reservedMinorMin: bigint
  readonly samplesMin: number
  readonly orgsMin: number
  /** The newest samples of one organisation that count, so that none decides the result alone. */
  readonly samplesPerOrgMax: number
}

/**
 * The cost of work as a share of its first reservation. Work is a run, a loop, a message or a turn of a task, with all of its
 * model calls. Groups with too few samples or organisations are left out.
 */
export function readUsualShares(tx: Tx, query: UsualShareQuery): Promise<UsualShare[]> {
  const {
    orgId,
    since,
    until,
    promptSizes,
    holdsMax,
    reservedMinorMin,
    samplesMin,
    orgsMin,
    samplesPerOrgMax,
  } = query
  return tx.rows<UsualShare>`
    with turns as (
      select org_id, split_part(ref, '.', 1) as work, id, created_at, ended_at, amount_minor, charged_minor,
             terms ->> 'workKind' as kind, terms ->> 'model' as model, (terms ->> 'promptTokens')::int as prompt_tokens
      from holds where source in ('agent', 'chat') and state = 'settled' and created_at >= ${since}
        and (${orgId}::text is null or org_id = ${orgId})
      order by created_at desc limit ${holdsMax}),
    works as (
      select org_id, work, max(ended_at) as ended_at, sum(charged_minor) as charged_minor,
             (array_agg(amount_minor order by created_at, id))[1] as first_minor,
             (array_agg(kind order by created_at, id))[1] as kind,
             (array_agg(model order by created_at, id))[1] as model,
             width_bucket((array_agg(prompt_tokens order by created_at, id))[1], ${[...promptSizes]}::int[]) as prompt_size
      from turns where kind is not null group by org_id, work),
    samples as (
      select kind, model, prompt_size, org_id, 1000.0 * charged_minor / first_minor as permille,
             row_number() over (partition by kind, model, prompt_size, org_id order by ended_at desc) as place
      from works where first_minor >= ${reservedMinorMin} and ended_at < ${until})
    -- Rounded first: processors differ in the last digit of the interpolated value, which decides at a whole one.
    select kind, model, prompt_size as "promptSize", count(*)::int as samples, count(distinct org_id)::int as orgs,
           ceil((percentile_cont(0.5) within group (order by permille))::numeric(20, 6))::int as "p50Permille",
           ceil((percentile_cont(0.9) within group (order by permille))::numeric(20, 6))::int as "p90Permille"
    from samples where place <= ${samplesPerOrgMax} group by kind, model, prompt_size
    having count(*) >= ${samplesMin} and count(distinct org_id) >= ${orgsMin}`
}
