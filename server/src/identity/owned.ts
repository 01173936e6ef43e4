import type { Owned } from '../platform/owned.ts'
import { byTime } from '../platform/owned-readers.ts'
import { type Key, keysAfter, type Member, membersAfter } from './owned-sql.ts'

export const identityOwned: Owned = {
  exports: {
    members: byTime(membersAfter, ({ joinedAt, userId }: Member) => [joinedAt, userId]),
    apiKeys: byTime(keysAfter, ({ createdAt, id }: Key) => [createdAt, id]),
  },
  tables: ['memberships', 'api_keys'],
  withheld: { sessions: 'where a person is signed in is theirs, and not their organisation’s' },
}
