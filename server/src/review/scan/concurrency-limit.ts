// How many scans of one organisation run at once on this replica: they share its threads with everybody else.
import { ApiError } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'

const PER_ORG = 4

const underWay = new WeakMap<App, Map<OrgId, number>>()

export async function withConcurrencyLimit<T>(app: App, orgId: OrgId, work: () => Promise<T>): Promise<T> {
  const counts = underWay.get(app) ?? new Map<OrgId, number>()
  underWay.set(app, counts)
  const others = counts.get(orgId) ?? 0
  if (others >= PER_ORG)
    throw new ApiError('too_many_attempts', {
      error: `Your organisation has ${PER_ORG} scans under way; wait until one of them has ended.`,
      retryAfter: 2,
    })
  counts.set(orgId, others + 1)
  try {
    return await work()
  } finally {
    const left = (counts.get(orgId) ?? 1) - 1
    if (left > 0) counts.set(orgId, left)
    else counts.delete(orgId)
  }
}
