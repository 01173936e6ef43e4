// The policy that staff set for an organisation. It applies from the next request on every replica, because each request
// reads it with the caller.
import { record } from '../../audit/audit.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError, invalidFields } from '../../kernel/errors.ts'
import type { OrgId } from '../../kernel/ids.ts'
import { findOrg, lockOrg, setPolicy } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Isolation } from '../../platform/content/content.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { requireOutsider } from '../../teams/teams.ts'
import { applyChange, comparePolicies } from './policy-difference.ts'
import type { PolicyChange } from './policy-schema.ts'
import { policyWarnings } from './policy-warnings.ts'
import { policyTierOf, storedPolicy } from './stored-policy.ts'

const MOVE_WAIT = { seconds: 20 }

export const showPolicy = (app: App, org: OrgId) =>
  app.db.tx('platform', async (tx) => ({ policy: await readPolicy(app, tx, org) }))

/**
 * Changes the given fields. A new isolation moves the content while the organisation keeps working: the request waits for
 * a limited time, then a job continues the move.
 */
export async function changePolicy(app: App, actor: Actor, org: OrgId, change: PolicyChange, ip: string) {
  const { orgId: named = org, dataIsolation: isolation } = change
  if (named !== org) throw invalidFields({ path: 'orgId', message: 'must be the organisation of the path' })
  await prepareContent(app, actor, org, isolation)
  await app.db.tx('platform', (tx) => storeChange(app, tx, actor, org, change, ip))
  if (isolation !== undefined) await resumeMove(app, org)
  return app.db.tx('platform', async (tx) => {
    const policy = await readPolicy(app, tx, org)
    return { policy, warnings: await policyWarnings(app, tx, policy) }
  })
}

async function readPolicy(app: App, tx: Tx, org: OrgId) {
  const found = await findOrg(tx, org)
  if (!found) throw new ApiError('not_found')
  const { isolation, status } = await app.content.placementOf(tx, org)
  return { ...storedPolicy(found), dataIsolation: isolation, isolationStatus: status }
}

/** Prepares the new storage before the transaction, because it can take long. */
async function prepareContent(
  app: App,
  actor: Actor,
  org: OrgId,
  isolation: Isolation | undefined,
): Promise<void> {
  const { dataIsolation } = await app.db.tx('platform', (tx) => lockPolicy(app, tx, actor, org))
  if (isolation === undefined || isolation === dataIsolation) return
  // Cancels an unfinished move: the previous storage still exists.
  if (isolation === 'shared' || dataIsolation === 'dedicated') return
  await app.content.prepare(org, isolation)
}

/** Stores the difference with its audit event. The lock makes concurrent changes see each other. */
async function storeChange(
  app: App,
  tx: Tx,
  actor: Actor,
  org: OrgId,
  change: PolicyChange,
  ip: string,
): Promise<void> {
  const before = await lockPolicy(app, tx, actor, org)
  const policy = applyChange(before, change)
  const metadata = comparePolicies(before, policy)
  if (!metadata) return
  await setPolicy(tx, org, { ...policy, policyTier: policyTierOf(policy) })
  if (policy.dataIsolation !== before.dataIsolation)
    await app.content.startMove(tx, org, policy.dataIsolation)
  await record(tx, { orgId: org, actor, as: 'operator', ip, action: 'policy.change', target: org, metadata })
}

/** Locks the policy until the transaction ends. Refuses staff who belong to the organisation. */
async function lockPolicy(app: App, tx: Tx, actor: Actor, org: OrgId) {
  const locked = await lockOrg(tx, org)
  if (!locked || locked.closed) throw new ApiError('not_found')
  await requireOutsider(tx, actor, org)
  return { ...storedPolicy(locked), dataIsolation: (await app.content.placementOf(tx, org)).isolation }
}

/** A failure does not undo the decision: the job resumes the move later. */
async function resumeMove(app: App, org: OrgId): Promise<void> {
  const deadline = after(app.clock.now(), MOVE_WAIT)
  await app.content
    .resumeMove(org, deadline)
    .catch((error) => app.log.warn({ err: error, orgId: org }, 'governance.content_move.deferred'))
}
