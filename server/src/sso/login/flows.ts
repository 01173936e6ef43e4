// Login flows: sign-ins in progress at a provider. Each completes once, within ten minutes, in the browser
// that started it.
import { hash, randomBytes } from 'node:crypto'
import { after, type Duration, toMs } from '../../kernel/clock.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { localPath } from '../../platform/http/answer.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import type { ConnectionId, IdpConnection } from '../sql.ts'
import type { LoginFlow } from './flows-sql.ts'
import * as sql from './flows-sql.ts'

const FLOW_COOKIE = 'service_sso'
const FORM = /^[\w-]{43}$/
const LIFETIME: Duration = { minutes: 10 }

/** Starts a flow and binds it to the browser with a cookie. `next` is untrusted. */
export async function beginFlow(
  app: App,
  request: RequestInfo,
  connection: IdpConnection,
  { data, next }: { data: Record<string, string>; next: string | undefined },
): Promise<LoginFlow> {
  const browser = readFlowCookie(request) ?? newSecret()
  const key = newSecret()
  const flow = await app.db.tx('platform', async (tx) => {
    const created = { key, connectionId: connection.id, data, next: localPath(next), createdAt: tx.now }
    await sql.insertFlow(tx, created, {
      keyHash: hashOf(key),
      browserHash: hashOf(browser),
      expiresAt: after(tx.now, LIFETIME),
    })
    return created
  })
  // Tabs share the cookie, so that a second flow does not break the first.
  request.setCookie(flowCookie(app, browser))
  return flow
}

/**
 * Consumes a flow; of concurrent calls one gets it. Null for another browser and for unknown, expired or used
 * flows.
 */
export async function consumeFlow(tx: Tx, request: RequestInfo, key: string): Promise<LoginFlow | null> {
  const browser = readFlowCookie(request)
  if (!browser || !FORM.test(key)) return null
  const row = await sql.consumeFlow(tx, hashOf(key), hashOf(browser))
  return row ? { key, ...row } : null
}

/**
 * The connection of an open flow; null as for `consumeFlow`, but for any browser. Does not consume the flow.
 */
export async function findConnectionOfFlow(app: App, key: string): Promise<ConnectionId | null> {
  if (!FORM.test(key)) return null
  const row = await sql.findConnectionOfFlow(app.db.direct, hashOf(key), app.clock.now())
  return row?.connectionId ?? null
}

/** Whether the request has a flow cookie, of this or another flow. */
export const hasFlowCookie = (request: RequestInfo): boolean => readFlowCookie(request) !== null

function readFlowCookie(request: RequestInfo): string | null {
  const value = request.cookie(FLOW_COOKIE)
  return value && FORM.test(value) ? value : null
}

// Lax: the browser sends it when the provider redirects back by GET, but not with a form of another site.
function flowCookie(app: App, value: string): string {
  const secure = app.config.baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${FLOW_COOKIE}=${value}; Path=/auth/sso; HttpOnly; SameSite=Lax${secure}; Max-Age=${toMs(LIFETIME) / 1000}`
}

const newSecret = (): string => randomBytes(32).toString('base64url')
const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')
