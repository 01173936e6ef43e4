// The signed-in principal as clients see it: who they are, what they may do, and what is in their wallet.
import type { z } from 'zod'
import { describeCurrency } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { readBalances, readMemberCap } from '../wallet/wallet.ts'
import type { Me } from './schema.ts'

/** All but the wallet came with the caller's own row, and the wallet is one statement; in a team the cap is another. */
export async function me(app: App, actor: Actor): Promise<z.input<typeof Me>> {
  const wallet = await readBalances(app.db.direct, actor.orgId)
  const isAlone = actor.org.tier === 'individual'
  const cap = isAlone
    ? null
    : await app.db.tx(actor.orgId, (tx) => readMemberCap(tx, actor.orgId, actor.userId))
  return {
    userId: actor.userId,
    orgId: actor.orgId,
    email: actor.email,
    role: actor.role,
    scopes: [...actor.scopes],
    isPlatformAdmin: actor.staffRole !== null,
    isSuperAdmin: actor.staffRole === 'super_admin',
    staffRole: actor.staffRole,
    currency: describeCurrency(wallet.currency),
    balanceMinor: wallet.balanceMinor,
    heldMinor: wallet.heldMinor,
    availableMinor: wallet.availableMinor,
    mfaEnabled: actor.mfaEnabled,
    plan: actor.org.plan,
    subscriptionStatus: actor.org.subscriptionStatus,
    includedRemainingMinor: wallet.includedRemainingMinor,
    orgName: actor.org.name,
    orgType: actor.org.type,
    orgSuspended: actor.org.suspended,
    kycStatus: actor.org.kycStatus,
    cap,
    orgPolicy: {
      tier: actor.org.tier,
      allowedLanes: [...actor.org.allowedLanes],
      residencyRegion: actor.org.residencyRegion,
    },
  }
}
