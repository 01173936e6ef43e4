// Device login: a program without a browser requests access, a signed-in user approves it, and the program
// collects an API key. The key is created in the transaction that returns it, so it never waits in storage.
import { hash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { record } from '../../audit/audit.ts'
import { createKey, userById } from '../../identity/identity.ts'
import { assert } from '../../kernel/assert.ts'
import { after, toMs } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { holdMembership } from '../../orgs/orgs.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { bucketAddress } from '../../platform/http/access/client-address.ts'
import type { Scope } from '../../platform/http/actor.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { plainMail, withoutAutoLinks } from '../../platform/mail/mail.ts'
import type { DeviceKey, DeviceStarted } from './schema.ts'
import * as sql from './sql.ts'
import { formatUserCode, newUserCode } from './user-code.ts'

const LIFETIME = { minutes: 10 }
const INTERVAL_SECONDS = 5
/** Each poll that comes too early adds this to the interval, up to the maximum. */
const BACKOFF_SECONDS = 5
const INTERVAL_SECONDS_MAX = 60
/** Further requests fail until the first one expires. Many users may share one address. */
const LIVE_PER_NETWORK_MAX = 50
const CODES_TRIED_MAX = 5

/** Starts a request of a program. It grants nothing yet. */
export async function startDeviceLogin(
  app: App,
  { address, userAgent }: RequestInfo,
  { clientName, scopes }: { clientName?: string | undefined; scopes: readonly Scope[] },
): Promise<z.input<typeof DeviceStarted>> {
  const deviceCode = randomBytes(32).toString('base64url')
  const network = bucketAddress(address)
  const { userCode, expiresAt } = await app.db.tx('platform', async (tx) => {
    await enforceNetworkLimit(tx, network)
    return insertUnderNewCode(tx, {
      id: newId('dev'),
      deviceHash: hashOf(deviceCode),
      clientName: clientName ?? null,
      scopes: [...new Set(scopes)],
      address,
      network,
      userAgent,
      intervalSeconds: INTERVAL_SECONDS,
      expiresAt: after(tx.now, LIFETIME),
    })
  })
  const verificationUrl = `${app.config.baseUrl}/app/device`
  return {
    deviceCode,
    userCode: formatUserCode(userCode),
    verificationUrl,
    // In the fragment, so that no access log contains the code.
    verificationUrlComplete: `${verificationUrl}#code=${formatUserCode(userCode)}`,
    interval: INTERVAL_SECONDS,
    expiresIn: toMs(LIFETIME) / 1000,
    expiresAt,
  }
}

async function enforceNetworkLimit(tx: Tx, network: string): Promise<void> {
  await tx.lock(`device logins of ${network}`)
  const { count, firstEnds } = await sql.countLive(tx, network)
  if (count < LIVE_PER_NETWORK_MAX || firstEnds === null) return
  const retryAfter = Math.max(1, Math.ceil((firstEnds.getTime() - tx.now.getTime()) / 1000))
  throw new ApiError('too_many_attempts', { retryAfter })
}

async function insertUnderNewCode(tx: Tx, login: Omit<sql.NewDeviceLogin, 'userCode'>) {
  for (let tried = 0; tried < CODES_TRIED_MAX; tried++) {
    const userCode = newUserCode()
    if (await sql.insert(tx, { ...login, userCode })) return { userCode, expiresAt: login.expiresAt }
  }
  throw new Error('no free code was found; the codes are too short for so many requests')
}

/** Returns the key once, or throws the reason why there is none yet. */
export async function collectDeviceKey(
  app: App,
  { address }: RequestInfo,
  deviceCode: string,
): Promise<z.input<typeof DeviceKey>> {
  const outcome = await app.db.tx('platform', async (tx) => {
    const login = await sql.lockByDevice(tx, hashOf(deviceCode))
    if (!login || login.status === 'done') return new ApiError('expired')
    if (login.status === 'denied') return new ApiError('access_denied')
    return login.status === 'pending' ? recordPoll(tx, login) : issueKey(app, tx, login, address)
  })
  // Thrown after the commit: an error inside the transaction would undo its writes.
  if (outcome instanceof ApiError) throw outcome
  return outcome
}

async function recordPoll(tx: Tx, { id, polledAt, intervalSeconds }: sql.DeviceLogin): Promise<ApiError> {
  const tooFast = polledAt !== null && tx.now < after(polledAt, { seconds: intervalSeconds })
  const interval = tooFast
    ? Math.min(intervalSeconds + BACKOFF_SECONDS, INTERVAL_SECONDS_MAX)
    : intervalSeconds
  await sql.recordPoll(tx, id, interval)
  return new ApiError(tooFast ? 'slow_down' : 'authorization_pending', { interval })
}

async function issueKey(app: App, tx: Tx, login: sql.DeviceLogin, address: string) {
  const { id: loginId, userId, orgId, scopes, clientName } = login
  assert(userId && orgId, 'an approved request has a user and an organisation')
  const user = await userById(tx, userId)
  // A user who has left the organisation cannot grant access to it.
  if (!user || !(await holdMembership(tx, orgId, userId))) {
    await sql.finish(tx, loginId, 'denied')
    return new ApiError('access_denied')
  }
  const name = clientName ?? 'Cowrie CLI'
  const { id, key } = await createKey(tx, { orgId, userId, name, scopes, expiresAt: null, parentId: null })
  await sql.finish(tx, loginId, 'done')
  await app.mail.send(tx, newKeyMail(app, user.email, name, login.address))
  await record(tx, {
    orgId,
    actor: { kind: 'user', userId, email: user.email },
    ip: address,
    action: 'auth.device.token',
    target: id,
    metadata: { name, scopes, login: loginId },
  })
  return { key, id, orgId, userId, scopes }
}

// Phished users learn from this mail what they approved and how to revoke it.
const newKeyMail = (app: App, to: string, name: string, from: string) => ({
  to,
  ...plainMail(
    'A program can now use your Cowrie account',
    [
      `You approved “${withoutAutoLinks(name)}”, which asked from the address ${from}. It now has an API key of yours.`,
      'If this was not you, or not a program of yours, revoke that key now.',
    ],
    { label: 'See your keys', url: `${app.config.baseUrl}/app/keys` },
  ),
})

/** Deletes up to `most` expired requests and returns their number. */
export const sweepDeviceLogins = (app: App, most: number): Promise<number> =>
  sql.sweep(app.db.direct, app.clock.now(), most)

const hashOf = (code: string): Buffer => hash('sha256', code, 'buffer')
