// What our own people decide about an organisation. It is in force with the next request of anybody in it, on every
// replica, because who calls is read anew with all of it each time.
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
 * Changes what is sent and leaves the rest. Content that is to have another place is moved while the organisation goes on
 * working: we wait for it a while, and then it goes on without us.
 */
export async function changePolicy(app: App, actor: Actor, org: OrgId, wished: PolicyChange, ip: string) {
  const { orgId: named = org, dataIsolation: place } = wished
  if (named !== org) throw invalidFields({ path: 'orgId', message: 'must be the organisation of the path' })
  await prepareContent(app, actor, org, place)
  await app.db.tx('platform', (tx) => storeChange(app, tx, actor, org, wished, ip))
  if (place !== undefined) await resumeMove(app, org)
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

/** Prepares the place that is wished, if it is another: before the transaction, for it takes its time. */
async function prepareContent(
  app: App,
  actor: Actor,
  org: OrgId,
  place: Isolation | undefined,
): Promise<void> {
  const { dataIsolation } = await app.db.tx('platform', (tx) => lockPolicy(app, tx, actor, org))
  if (place === undefined || place === dataIsolation) return
  // That is the way back: it is open until the content has arrived, and nothing has to be made for it.
  if (place === 'shared' || dataIsolation === 'dedicated') return
  await app.content.prepare(org, place)
}

/** Writes what differs, together with the trace of it. Whoever comes second finds what the first one wrote. */
async function storeChange(
  app: App,
  tx: Tx,
  actor: Actor,
  org: OrgId,
  wished: PolicyChange,
  ip: string,
): Promise<void> {
  const before = await lockPolicy(app, tx, actor, org)
  const policy = applyChange(before, wished)
  const metadata = comparePolicies(before, policy)
  if (!metadata) return
  await setPolicy(tx, org, { ...policy, policyTier: policyTierOf(policy) })
  if (policy.dataIsolation !== before.dataIsolation)
    await app.content.startMove(tx, org, policy.dataIsolation)
  await record(tx, { orgId: org, actor, as: 'operator', ip, action: 'policy.change', target: org, metadata })
}

/** The policy of an organisation that is not theirs, held until the transaction ends. */
async function lockPolicy(app: App, tx: Tx, actor: Actor, org: OrgId) {
  const locked = await lockOrg(tx, org)
  if (!locked || locked.closed) throw new ApiError('not_found')
  await requireOutsider(tx, actor, org)
  return { ...storedPolicy(locked), dataIsolation: (await app.content.placementOf(tx, org)).isolation }
}

/** What was decided is decided: a move that cannot go on now is gone on with by the job that looks after moves. */
async function resumeMove(app: App, org: OrgId): Promise<void> {
  const deadline = after(app.clock.now(), MOVE_WAIT)
  await app.content
    .resumeMove(org, deadline)
    .catch((error) => app.log.warn({ err: error, orgId: org }, 'governance.content_move.deferred'))
}
