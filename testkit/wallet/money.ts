// Credits, grants, holds and charges for tests, without a payment.

import type { OrgId, UserId } from '@cowrie/server/src/kernel/ids.ts'
import { newId } from '@cowrie/server/src/kernel/ids.ts'
import { type HoldId, reserve, settle } from '@cowrie/server/src/wallet/holds/holds.ts'
import { applyOps, type PostingSource, type WalletOp } from '@cowrie/server/src/wallet/ledger/apply-ops.ts'
import { credit, grantIncluded } from '@cowrie/server/src/wallet/ledger/postings.ts'
import type { TestServer } from '../harness/harness.ts'

let count = 0
const next = () => `fixture ${++count}`

export async function giveCredit(
  server: TestServer,
  orgId: OrgId,
  amountMinor: bigint,
  source: PostingSource = 'topup',
) {
  const cause = next()
  const account = source === 'topup' ? 'clearing:mock' : 'adjustments'
  await server.app.db.tx(orgId, (tx) =>
    credit(server.app, tx, { orgId, amountMinor, source, ref: cause, cause, account }),
  )
}

export async function grantAllowance(server: TestServer, orgId: OrgId, amountMinor: bigint) {
  const cause = next()
  await server.app.db.tx(orgId, (tx) =>
    grantIncluded(server.app, tx, { orgId, amountMinor, ref: cause, cause }),
  )
}

const BATCH_SIZE = 250

/** Many credits of 1 in a few sequential statements, because all need the lock of the same wallet. */
export async function giveManyCredits(server: TestServer, orgId: OrgId, times: number) {
  for (let done = 0; done < times; done += BATCH_SIZE) {
    const ops = Array.from({ length: Math.min(BATCH_SIZE, times - done) }, () => creditOf(orgId))
    await applyOps(server.app.db, ops, server.clock.now(), {})
  }
}

function creditOf(orgId: OrgId): WalletOp {
  const cause = next()
  const account = 'clearing:mock'
  return {
    kind: 'credit',
    org: orgId,
    mid: newId('led'),
    cause,
    ref: cause,
    source: 'topup',
    amount: 1n,
    account,
  }
}

export async function holdSome(
  server: TestServer,
  { orgId, userId }: { orgId: OrgId; userId: UserId },
  amountMinor: bigint,
): Promise<HoldId> {
  const result = await reserve(server.app, {
    orgId,
    userId,
    ref: next(),
    source: 'agent',
    amountMinor,
    terms: {},
    deadline: new Date(server.clock.now().getTime() + 600_000),
  })
  if (!result.ok) throw new Error(`refused: ${result.reason}`)
  return result.hold.holdId
}

export async function spend(
  server: TestServer,
  owner: { orgId: OrgId; userId: UserId },
  amountMinor: bigint,
  heldMinor = amountMinor,
) {
  const holdId = await holdSome(server, owner, heldMinor)
  await settle(server.app, { orgId: owner.orgId, holdId, amountMinor, usage: null })
}
