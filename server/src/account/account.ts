// Public API of account: the signed-in user with organisation, rights and wallet.
import type { z } from 'zod'
import { present } from '../kernel/assert.ts'
import type { OrgId } from '../kernel/ids.ts'
import { describeCurrency } from '../kernel/money.ts'
import type { App } from '../platform/app.ts'
import { type BatchLoader, batchLoaderPerDb, createBatchLoader } from '../platform/db/batch-loader.ts'
import { followShard } from '../platform/db/citus/visit-shards.ts'
import type { Db, MoneyShards, Sql } from '../platform/db/tx.ts'
import { type Actor, lacksStaffFactor } from '../platform/http/actor.ts'
import { readMemberCap, readWallets, type WalletView } from '../wallet/wallet.ts'
import type { Me } from './schema.ts'

/** Clients ask for this often, and one statement reads the wallets of many. */
const walletLoader = batchLoaderPerDb<OrgId, WalletView>((db, orgs) => load(db.direct, orgs))
/** With shards on several nodes, one for each shard: a node that hangs delays only its organisations. */
const shardLoaders = new WeakMap<MoneyShards, Map<string, BatchLoader<OrgId, WalletView>>>()

async function load(sql: Sql, orgs: readonly OrgId[]) {
  const found = await readWallets(sql, [...new Set(orgs)])
  return orgs.map((org) => found.get(org))
}

async function findWallet(db: Db, org: OrgId): Promise<WalletView | undefined> {
  const { shards } = db
  if (!shards) return walletLoader(db)(org)
  const shard = await shards.shardOf(org)
  const loaders = shardLoaders.get(shards) ?? new Map<string, BatchLoader<OrgId, WalletView>>()
  shardLoaders.set(shards, loaders)
  const read = (orgs: readonly OrgId[]) => followShard(shards, async () => load(await shards.on(shard), orgs))
  const loader = loaders.get(shard) ?? createBatchLoader<OrgId, WalletView>(read)
  loaders.set(shard, loader)
  return loader(org)
}

/** Costs a share of one statement for the wallet, and one for the cap in a team. The rest comes with the caller. */
export async function me(app: App, actor: Actor): Promise<z.input<typeof Me>> {
  const wallet = present(await findWallet(app.db, actor.orgId), 'an organisation has a wallet')
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
