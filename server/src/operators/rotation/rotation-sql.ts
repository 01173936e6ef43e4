// SQL of rotations of the service secret.
import { json, type Sql, type Tx } from '../../platform/db/tx.ts'

export type Unreadable = { readonly name: string; readonly count: number; readonly ids: readonly string[] }

export type Rotation = {
  readonly begunAt: Date
  readonly checkedAt: Date | null
  readonly resealed: bigint
  readonly lastResealed: bigint
  readonly unreadable: readonly Unreadable[]
  /** False after a later rotation, until a pass shows that this secret is current again. */
  readonly isLatest: boolean
}

export const findRotation = (db: Sql, keyId: string): Promise<Rotation | undefined> =>
  db.maybe<Rotation>`
    select begun_at as "begunAt", checked_at as "checkedAt", resealed, last_resealed as "lastResealed", unreadable,
           not exists (select from secret_rotations later where later.begun_at > r.begun_at) as "isLatest"
    from secret_rotations r where key_id = ${keyId}`

/** The time since which the secret is current. A secret that was replaced meanwhile begins again. */
export async function beginRotation(tx: Tx, keyId: string): Promise<void> {
  await tx.rows`
    insert into secret_rotations (key_id, begun_at) values (${keyId}, ${tx.now})
    on conflict (key_id) do update
      set begun_at = excluded.begun_at, checked_at = null, resealed = 0, last_resealed = 0, unreadable = '[]'`
}

export async function addResealed(tx: Tx, keyId: string, count: number): Promise<void> {
  await tx.rows`update secret_rotations set resealed = resealed + ${count} where key_id = ${keyId}`
}

export async function endPass(
  tx: Tx,
  keyId: string,
  { resealed, unreadable }: { resealed: number; unreadable: readonly Unreadable[] },
): Promise<void> {
  await tx.rows`
    update secret_rotations
    set checked_at = ${tx.now}, last_resealed = ${resealed}, unreadable = ${json(unreadable)}
    where key_id = ${keyId}`
}
