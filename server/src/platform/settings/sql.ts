// SQL of stored settings.
import { json, type Sql, type Tx } from '../db/tx.ts'
import type { PageOfTexts, SealedText } from '../sealed-data.ts'

/** A stored setting: its value is plain or sealed, never both. */
export type StoredSetting = {
  readonly key: string
  readonly value: unknown
  readonly sealed: string | null
  readonly source: 'operator' | 'env'
  readonly updatedAt: Date
  readonly updatedByEmail: string | null
}

const ROWS_MAX = 1_000

type Row = {
  key: string
  value: unknown
  sealed: string | null
  source: 'operator' | 'env'
  updated_at: Date
  updated_by_email: string | null
}

/** All rows. There is one per changed key, so the table stays small. */
export async function readAll(sql: Sql): Promise<StoredSetting[]> {
  const rows = await sql.rows<Row>`
    select key, value, sealed, source, updated_at, updated_by_email from platform_settings order by key limit ${ROWS_MAX}`
  return rows.map(toStored)
}

export async function find(sql: Sql, key: string): Promise<StoredSetting | undefined> {
  const row = await sql.maybe<Row>`
    select key, value, sealed, source, updated_at, updated_by_email from platform_settings where key = ${key}`
  return row && toStored(row)
}

/** Serializes changes, so that each sees the value that it replaces. */
export const lockForChange = (tx: Tx): Promise<void> => tx.lock('platform settings')

export async function save(tx: Tx, stored: StoredSetting): Promise<void> {
  const value = stored.sealed === null ? json(stored.value) : null
  await tx.rows`
    insert into platform_settings (key, value, sealed, source, updated_at, updated_by_email)
    values (${stored.key}, ${value}, ${stored.sealed}, ${stored.source}, ${stored.updatedAt}, ${stored.updatedByEmail})
    on conflict (key) do update set value = excluded.value, sealed = excluded.sealed, source = excluded.source,
                                    updated_at = excluded.updated_at, updated_by_email = excluded.updated_by_email`
}

export async function remove(tx: Tx, key: string): Promise<void> {
  await tx.rows`delete from platform_settings where key = ${key}`
}

const toStored = ({ key, value, sealed, source, updated_at, updated_by_email }: Row): StoredSetting => ({
  key,
  value,
  sealed,
  source,
  updatedAt: updated_at,
  updatedByEmail: updated_by_email,
})

/** Secret settings that another service secret has sealed. */
export const listSealedSettings = (tx: Tx, { keyId, after, limit }: PageOfTexts): Promise<SealedText[]> =>
  tx.rows<SealedText>`
    select key as id, sealed from platform_settings
    where key > ${after} and not starts_with(sealed, ${keyId}) order by key limit ${limit}`

export const replaceSealedSettings = (tx: Tx, was: SealedText, sealed: string): Promise<object[]> =>
  tx.rows`update platform_settings set sealed = ${sealed} where key = ${was.id} and sealed = ${was.sealed}`
