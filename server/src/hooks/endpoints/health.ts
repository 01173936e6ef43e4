// How an endpoint is doing. One that says it is gone, or fails for days, is disabled and its people are told.
import { record } from '../../audit/audit.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type MailContent, plainMail, withoutAutoLinks } from '../../platform/mail/mail.ts'
import { listOrgContacts } from '../../teams/teams.ts'
import { quietUntil, shouldDisable } from '../deliveries/backoff.ts'
import { enqueueEndpointCheck } from '../emit.ts'
import * as sql from './endpoints-sql.ts'

type EndpointCall = { readonly endpointId: sql.EndpointId; readonly url: string }

const CONTACTS_MAX = 20

/**
 * It works: nothing counts against it any more, and what waits for it may go. One that is slow works too, and is left in peace
 * like one that fails: it must not keep workers waiting all the time.
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

/** Counts a failure against the endpoint, unless it has moved to another address meanwhile. */
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
  // What waits for it ends there: to lock deliveries after their endpoint would be against the order.
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
    reason === 'gone' ? 'it answered that it is gone (410)' : 'every call to it has failed for five days'
  return plainMail(
    'A webhook endpoint was disabled',
    [
      `The webhook endpoint of ${withoutAutoLinks(orgName)} at ${withoutAutoLinks(host)} gets no more events, because ${why}.`,
      'Once it works again, enable it and replay what it missed: events are kept for thirty days.',
    ],
    { label: 'Read how', url: `${app.config.baseUrl}/docs` },
  )
}
