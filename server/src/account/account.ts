// Public API of account: the signed-in user with organisation, rights and wallet.
import type { z } from 'zod'
import { describeCurrency } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { readMemberCap, readWallet } from '../wallet/wallet.ts'
import type { Me } from './schema.ts'

/** Costs one statement for the wallet, and one for the cap in a team. The rest comes with the caller. */
export async function me(app: App, actor: Actor): Promise<z.input<typeof Me>> {
  const wallet = await readWallet(app.db.direct, actor.orgId)
  const isIndividual = actor.org.tier === 'individual'
  const cap = isIndividual
    ? null
    : await app.db.tx(actor.orgId, (tx) => readMemberCap(tx, actor.orgId, actor.userId))
  return {
    userId: actor.userId,
    orgId: actor.orgId,
    email: actor.email,
    language: actor.language,
    role: actor.role,
    scopes: [...actor.scopes],
    isPlatformAdmin: actor.staffRole !== null,
    isSuperAdmin: actor.staffRole === 'super_admin',
    staffRole: actor.staffRole,
    currency: describeCurrency(wallet.currency),
    balanceMinor: wallet.balanceMinor,
    heldMinor: wallet.heldMinor,
    availableMinor: wallet.availableMinor,
    trialMinor: wallet.trialMinor,
    trialExpiresAt: wallet.trialExpiresAt,
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
