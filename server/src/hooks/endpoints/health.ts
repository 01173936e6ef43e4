// Tracks the health of endpoints. An endpoint that replies 410 or fails for days is disabled, and its organisation gets a mail.
import { record } from '../../audit/audit.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type MailContent, plainMail, withoutAutoLinks } from '../../platform/mail/mail.ts'
import { listOrgContacts } from '../../teams/teams.ts'
import { quietUntil, shouldDisable } from '../deliveries/backoff.ts'
import { enqueueEndpointCheck } from '../hooks.ts'
import * as sql from './endpoints-sql.ts'

type EndpointCall = { readonly endpointId: sql.EndpointId; readonly url: string }

const CONTACTS_MAX = 20

/**
 * Resets the failure counts and releases waiting deliveries. A slow endpoint gets strikes like a failing one, because it
 * must not block workers.
 */
export async function recordSuccess(
  tx: Tx,
  org: OrgId,
  { endpointId, url }: EndpointCall,
  isSlow: boolean,
): Promise<void> {
  const health = await sql.lockHealth(tx, org, endpointId, url)
  if (!health) return
  const strikes = isSlow ? health.strikes + 1 : 0
  const quiet = quietUntil(strikes, tx.now)
  await sql.saveHealth(tx, endpointId, { failures: 0, failingSince: null, strikes, quietUntil: quiet })
  if (health.quietUntil ?? quiet) await enqueueEndpointCheck(tx, org, endpointId, quiet ?? tx.now)
}

/** Counts a failure, unless the URL of the endpoint has changed since the call. */
export async function recordFailure(
  app: App,
  tx: Tx,
  org: OrgId,
  { endpointId, url, isGone }: EndpointCall & { readonly isGone: boolean },
): Promise<void> {
  const health = await sql.lockHealth(tx, org, endpointId, url)
  if (!health?.enabled) return
  const failures = health.failures + 1
  const failingSince = health.failingSince ?? tx.now
  const strikes = health.strikes + 1
  const quiet = quietUntil(strikes, tx.now)
  await sql.saveHealth(tx, endpointId, { failures, failingSince, strikes, quietUntil: quiet })
  if (isGone) await disable(app, tx, org, endpointId, url, 'gone')
  else if (shouldDisable(failingSince, failures, tx.now))
    await disable(app, tx, org, endpointId, url, 'failing')
  else if (quiet) await enqueueEndpointCheck(tx, org, endpointId, quiet)
}

async function disable(
  app: App,
  tx: Tx,
  orgId: OrgId,
  id: sql.EndpointId,
  url: string,
  reason: 'gone' | 'failing',
): Promise<void> {
  await sql.disableEndpoint(tx, id, reason)
  // A job fails the pending deliveries: locking them here, after the endpoint, would break the lock order.
  await enqueueEndpointCheck(tx, orgId, id, tx.now)
  const { host } = new URL(url)
  for (const { email, orgName } of await listOrgContacts(tx, [orgId], CONTACTS_MAX))
    await app.mail.send(tx, { to: email, ...disabledMail(app, orgName, host, reason) })
  await record(tx, {
    orgId,
    actor: { kind: 'system' },
    action: 'hooks.endpoints.disable',
    target: id,
    metadata: { host, reason },
  })
}

function disabledMail(app: App, orgName: string, host: string, reason: 'gone' | 'failing'): MailContent {
  const why =
    reason === 'gone' ? 'it replied with status 410 (Gone)' : 'every call to it has failed for five days'
  return plainMail(
    'A webhook endpoint was disabled',
    [
      `The webhook endpoint of ${withoutAutoLinks(orgName)} at ${withoutAutoLinks(host)} was disabled, because ${why}.`,
      'When it works again, enable it and replay the missed events. Events are kept for thirty days.',
    ],
    { label: 'Read the documentation', url: `${app.config.baseUrl}/docs` },
  )
}
