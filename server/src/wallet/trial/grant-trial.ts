// Grants trial credit: once per person, organisation and mailbox, in the transaction that verifies the person.
import { record } from '../../audit/audit.ts'
import { after, before } from '../../kernel/clock.ts'
import { newId, type OrgId } from '../../kernel/ids.ts'
import { findOrg, personalOrg } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { networkPrefix } from '../../platform/http/access/client-address.ts'
import type { VerificationHandler, VerifiedPerson } from '../../platform/verification-handler.ts'
import { credit } from '../ledger/postings.ts'
import { fromKobo } from '../rate-card.ts'
import { currentRateCard } from '../settings.ts'
import { isRefusedDomain, mailboxHash, ownedDomain } from './mailbox.ts'
import {
  trialCreditDays,
  trialCreditMinor,
  trialCreditsPerDay,
  trialCreditsPerDomain,
  trialCreditsPerNetwork,
  trialRefusedDomains,
} from './settings.ts'
import * as sql from './sql.ts'

const DAY = { hours: 24 }

export type TrialRefusal =
  | 'refused_domain'
  | 'network_limit'
  | 'domain_limit'
  | 'daily_limit'
  | 'granted_before'

export const grantTrial: VerificationHandler<App> = async (app, tx, person) => {
  const kobo = BigInt(app.settings.get(trialCreditMinor))
  if (kobo === 0n) return
  const orgId = await personalOrg(tx, person.userId)
  const org = orgId && (await findOrg(tx, orgId))
  if (!org || org.closed) return
  const { minor: amountMinor } = fromKobo(currentRateCard(app), kobo, org.currency)
  const refusal = await tryToGrant(app, tx, person, org.id, amountMinor)
  tx.afterCommit(() => app.metrics.trialCredit(refusal ?? 'granted'))
  if (refusal) await recordRefusal(tx, person, org.id, refusal)
}

async function tryToGrant(
  app: App,
  tx: Tx,
  { userId, email, address }: VerifiedPerson,
  orgId: OrgId,
  amountMinor: bigint,
): Promise<TrialRefusal | null> {
  const { settings } = app
  if (isRefusedDomain(email, settings.get(trialRefusedDomains))) return 'refused_domain'
  const network = networkPrefix(address)
  const domain = ownedDomain(email)
  await sql.lockGrants(tx)
  const counted = await sql.countGrants(tx, { network, domain }, before(tx.now, DAY))
  if (counted.ofNetwork >= BigInt(settings.get(trialCreditsPerNetwork))) return 'network_limit'
  if (counted.ofDomain >= BigInt(settings.get(trialCreditsPerDomain))) return 'domain_limit'
  if (counted.total >= BigInt(settings.get(trialCreditsPerDay))) return 'daily_limit'
  const id = newId('trl')
  const expiresAt = after(tx.now, { days: settings.get(trialCreditDays) })
  const trial = {
    id,
    userId,
    orgId,
    mailboxHash: mailboxHash(email),
    network,
    domain,
    amountMinor,
    expiresAt,
  }
  if (!(await sql.insertTrial(tx, trial))) return 'granted_before'
  const { entryId } = await credit(app, tx, {
    orgId,
    amountMinor,
    source: 'trial',
    ref: id,
    cause: `trial ${userId}`,
    account: 'promotions',
  })
  await record(tx, {
    orgId,
    actor: { kind: 'system' },
    ip: address,
    action: 'trial.grant',
    target: userId,
    metadata: { trialId: id, amountMinor, entryId, expiresAt: expiresAt.toISOString() },
  })
  return null
}

const recordRefusal = (tx: Tx, person: VerifiedPerson, orgId: OrgId, reason: TrialRefusal): Promise<void> =>
  record(tx, {
    orgId,
    actor: { kind: 'system' },
    ip: person.address,
    action: 'trial.refuse',
    target: person.userId,
    metadata: { reason },
  })
