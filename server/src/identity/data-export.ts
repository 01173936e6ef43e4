import type { App } from '../platform/app.ts'
import type { TenantData } from '../platform/data-export.ts'
import { byTime } from '../platform/data-export-readers.ts'
import { type ExportedKey, type ExportedMember, keysAfter, membersAfter } from './data-export-sql.ts'

export const identityData: TenantData<App> = {
  exports: {
    members: byTime(membersAfter, ({ joinedAt, userId }: ExportedMember) => [joinedAt, userId]),
    apiKeys: byTime(keysAfter, ({ createdAt, id }: ExportedKey) => [createdAt, id]),
  },
  tables: ['memberships', 'api_keys'],
  withheld: { sessions: 'sessions belong to the user, not to the organisation' },
}
