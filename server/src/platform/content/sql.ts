// Every statement about where content is.
import type { OrgId } from '../../kernel/ids.ts'
import type { Sql } from '../db/tx.ts'
import type { Isolation } from './content.ts'

export type Place = { place: Isolation; movingTo: Exclude<Isolation, 'shared'> | null }

export function placeOf(db: Sql, org: OrgId) {
  return db.maybe<Place>`select place, moving_to as "movingTo" from content_places where org_id = ${org}`
}
