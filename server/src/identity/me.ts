// The signed-in principal as clients see it.
import type { z } from 'zod'
import { describeCurrency } from '../kernel/money.ts'
import type { Actor } from '../platform/http/actor.ts'
import type { Me } from './schema.ts'

/** Everything here came with the caller's own row: this read costs no further statement. */
export function me(actor: Actor): z.input<typeof Me> {
  return {
    userId: actor.userId,
    orgId: actor.orgId,
    email: actor.email,
    role: actor.role,
    scopes: [...actor.scopes],
    isPlatformAdmin: actor.staffRole !== null,
    isSuperAdmin: actor.staffRole === 'super_admin',
    staffRole: actor.staffRole,
    currency: describeCurrency(actor.org.currency),
    // No wallet has been opened yet, so nothing can be in it.
    balanceMinor: 0n,
    heldMinor: 0n,
    availableMinor: 0n,
    mfaEnabled: actor.mfaEnabled,
    plan: null,
    subscriptionStatus: null,
    includedRemainingMinor: 0n,
    orgName: actor.org.name,
    orgType: actor.org.type,
    orgSuspended: actor.org.suspended,
    kycStatus: actor.org.kycStatus,
  }
}
