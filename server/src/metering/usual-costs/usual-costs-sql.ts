// SQL statements about usual costs.
import { json, type Sql, type Tx } from '../../platform/db/tx.ts'
import type { UsualShare } from '../../wallet/wallet.ts'

export async function replaceUsualCosts(tx: Tx, shares: readonly UsualShare[]): Promise<void> {
  await tx.rows`delete from usual_costs`
  await tx.rows`
    insert into usual_costs (kind, model, prompt_size, samples, orgs, p50_permille, p90_permille, computed_at)
    select s.kind, s.model, s."promptSize", s.samples, s.orgs, s."p50Permille", s."p90Permille", ${tx.now}
    from jsonb_to_recordset(${json(shares)}) s(kind text, model text, "promptSize" smallint, samples int, orgs int,
      "p50Permille" int, "p90Permille" int)`
}

export type UsualCostRow = Omit<UsualShare, 'samples' | 'orgs'>

export function readUsualCosts(db: Sql): Promise<UsualCostRow[]> {
  return db.rows<UsualCostRow>`
    select kind, model, prompt_size as "promptSize", p50_permille as "p50Permille", p90_permille as "p90Permille"
    from usual_costs`
}
