// A sign-in on its way to a provider and back. It ends once, within ten minutes, in the browser that began it.
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

/** Remembers a sign-in and ties it to the browser by a cookie. `next` is anything a caller sent. */
export async function beginFlow(
  app: App,
  request: RequestInfo,
  connection: IdpConnection,
  { data, next }: { data: Record<string, string>; next: string | undefined },
): Promise<LoginFlow> {
  const browser = readFlowCookie(request) ?? newSecret()
  const key = newSecret()
  const flow = await app.db.tx('platform', async (tx) => {
    const begun = { key, connectionId: connection.id, data, next: localPath(next), createdAt: tx.now }
    await sql.insertFlow(tx, begun, {
      keyHash: hashOf(key),
      browserHash: hashOf(browser),
      expiresAt: after(tx.now, LIFETIME),
    })
    return begun
  })
  // Several tabs share the cookie: a second sign-in does not spoil the first.
  request.setCookie(flowCookie(app, browser))
  return flow
}

/** Uses a flow up: of many at once one gets it. Null for another browser, an unknown key, expired or used ones. */
export async function consumeFlow(tx: Tx, request: RequestInfo, key: string): Promise<LoginFlow | null> {
  const browser = readFlowCookie(request)
  if (!browser || !FORM.test(key)) return null
  const row = await sql.consumeFlow(tx, hashOf(key), hashOf(browser))
  return row ? { key, ...row } : null
}

/** The connection of a flow that is under way; null as with `takeFlow`, but for any browser. Looking uses nothing up. */
export async function findConnectionOfFlow(app: App, key: string): Promise<ConnectionId | null> {
  if (!FORM.test(key)) return null
  const row = await sql.findConnectionOfFlow(app.db.direct, hashOf(key), app.clock.now())
  return row?.connectionId ?? null
}

/** Whether the cookie of a browser that began a flow comes along, be it this or another. */
export const hasFlowCookie = (request: RequestInfo): boolean => readFlowCookie(request) !== null

function readFlowCookie(request: RequestInfo): string | null {
  const value = request.cookie(FLOW_COOKIE)
  return value && FORM.test(value) ? value : null
}

// Lax: it comes along when the provider sends the browser back by GET, and with no form of another site.
function flowCookie(app: App, value: string): string {
  const secure = app.config.baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${FLOW_COOKIE}=${value}; Path=/auth/sso; HttpOnly; SameSite=Lax${secure}; Max-Age=${toMs(LIFETIME) / 1000}`
}

const newSecret = (): string => randomBytes(32).toString('base64url')
const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')
