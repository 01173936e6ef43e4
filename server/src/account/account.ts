// Public API of account: the signed-in user with organisation, rights and wallet.
import type { z } from 'zod'
import { present } from '../kernel/assert.ts'
import type { OrgId } from '../kernel/ids.ts'
import { describeCurrency } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import { batchLoaderPerDb } from '../platform/db/batch-loader.ts'
import { type Actor, lacksStaffFactor } from '../platform/http/actor.ts'
import { readMemberCap, readWallets, type WalletView } from '../wallet/wallet.ts'
import type { Me } from './schema.ts'

/** Clients ask for this often, and one statement reads the wallets of many. */
const walletLoader = batchLoaderPerDb<OrgId, WalletView>(async (db, orgs) => {
  const found = await readWallets(db.direct, [...new Set(orgs)])
  return orgs.map((org) => found.get(org))
})

/** Costs a share of one statement for the wallet, and one for the cap in a team. The rest comes with the caller. */
export async function me(app: App, actor: Actor): Promise<z.input<typeof Me>> {
  const wallet = present(await walletLoader(app.db)(actor.orgId), 'an organisation has a wallet')
  const isIndividual = actor.org.tier === 'individual'
  const cap = isIndividual
    ? null
    : await app.db.tx(actor.orgId, (tx) => readMemberCap(tx, actor.orgId, actor.userId))
  const staffFactorRequired = lacksStaffFactor(actor)
  const staffRole = staffFactorRequired ? actor.heldStaffRole : actor.staffRole
  return {
    userId: actor.userId,
    orgId: actor.orgId,
    email: actor.email,
    pendingEmail: actor.pendingEmail,
    language: actor.language,
    role: actor.role,
    scopes: [...actor.scopes],
    isPlatformAdmin: staffRole !== null,
    isSuperAdmin: staffRole === 'super_admin',
    staffRole,
    staffFactorRequired,
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
