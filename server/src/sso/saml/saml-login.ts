// SAML sign-in: the request, the response, and the last step in the browser that started it.
import { hash, randomBytes } from 'node:crypto'
import type { AccountRef } from '../../identity/identity.ts'
import { assert } from '../../kernel/assert.ts'
import { after } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { findConnectionById } from '../connections.ts'
import { completeLogin, type SsoClaims } from '../login/complete-login.ts'
import { beginFlow, consumeFlow, findConnectionOfFlow, hasFlowCookie } from '../login/flows.ts'
import type { ConnectionId, IdpConnection } from '../sql.ts'
import { ourAcsUrl, ourEntityId, requestUrl } from './metadata.ts'
import { decodeResponse, type SamlAssertion, verifyResponse } from './response.ts'
import * as sql from './sql.ts'
import { SamlResponseError } from './xml.ts'

const TICKET_MINUTES = 2
const TICKET_CONTEXT = 'saml ticket'

/** Signed in, or the URL that the browser must open so that it sends its cookies. */
export type SamlOutcome = { account: AccountRef; next: string } | { finishAt: string }

/** Starts a flow and returns the provider URL. */
export async function startSamlLogin(
  app: App,
  request: RequestInfo,
  connection: IdpConnection,
  next: string | undefined,
): Promise<string> {
  assert(connection.ssoUrl, 'a SAML connection knows where its provider is')
  const { key } = await beginFlow(app, request, connection, { data: {}, next })
  return requestUrl(app, connection.ssoUrl, { requestId: requestIdOf(key), relayState: key })
}

/**
 * Verifies a provider's response or throws `sso_failed`. The flow is found by the request id that the
 * response answers. RelayState is untrusted and ignored.
 */
export async function receiveResponse(app: App, request: RequestInfo, encoded: string): Promise<SamlOutcome> {
  const login = await orSsoFailed(app, request, async () => {
    const response = decodeResponse(encoded)
    const key = keyOf(response.inResponseTo)
    const connectionId = await findConnectionOfFlow(app, key)
    if (!connectionId) throw new SamlResponseError('answers no request that is under way')
    const connection = await requireEnabledConnection(app, connectionId)
    const assertion = await verifyResponse(response, {
      issuer: connection.entityId,
      certificates: connection.certificates,
      audience: ourEntityId(app),
      acsUrl: ourAcsUrl(app),
      requestId: requestIdOf(key),
      now: app.clock.now(),
    })
    return { key, connection: versionOf(connection), issuer: connection.entityId, assertion }
  })
  // A cross-site form post has no cookies, so the browser needs a second step. Requests with cookies finish
  // here.
  return hasFlowCookie(request)
    ? completeSamlLogin(app, request, login, null)
    : { finishAt: `/auth/sso/saml/finish?ticket=${await storeTicket(app, login)}` }
}

/** Opens the session for a ticket, or throws `sso_failed`. */
export async function finishSamlLogin(
  app: App,
  request: RequestInfo,
  token: string,
): Promise<{ account: AccountRef; next: string }> {
  const ticket = await sql.findTicket(app.db.direct, hashOf(token), app.clock.now())
  if (!ticket) throw new ApiError('sso_failed')
  const { assertion, ...rest } = JSON.parse(
    app.secrets.open(ticket.sealed, TICKET_CONTEXT),
  ) as SealedSamlLogin
  const login = { ...rest, assertion: { ...assertion, endsAt: new Date(assertion.endsAt) } }
  return completeSamlLogin(app, request, login, hashOf(token))
}

/** A verified assertion for a flow. */
type SamlLogin = { key: string; connection: ConnectionVersion; issuer: string; assertion: SamlAssertion }
type SealedSamlLogin = Omit<SamlLogin, 'assertion'> & {
  assertion: Omit<SamlAssertion, 'endsAt'> & { endsAt: string }
}

async function storeTicket(app: App, login: SamlLogin): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const createdAt = app.clock.now()
  await sql.insertTicket(app.db.direct, {
    tokenHash: hashOf(token),
    sealed: app.secrets.seal(JSON.stringify(login), TICKET_CONTEXT),
    createdAt,
    expiresAt: after(createdAt, { minutes: TICKET_MINUTES }),
  })
  return token
}

/**
 * Consumes the flow, ticket and assertion in the transaction that opens the session: of concurrent calls, one
 * succeeds.
 */
async function completeSamlLogin(app: App, request: RequestInfo, login: SamlLogin, ticket: Buffer | null) {
  const { key, issuer, assertion } = login
  const connection = await orSsoFailed(app, request, () => requireUnchangedConnection(app, login.connection))
  const { subject, email, name, groups } = assertion
  const claims: SsoClaims = { issuer, subject, email, emailVerified: null, name, groups }
  return completeLogin(app, request, connection, claims, async (tx) => {
    const flow = await consumeFlow(tx, request, key)
    if (!flow || (ticket && !(await sql.useTicket(tx, ticket)))) return null
    return (await sql.useAssertion(tx, connection.id, assertion.id, assertion.endsAt)) ? flow : null
  })
}

async function requireEnabledConnection(
  app: App,
  id: ConnectionId,
): Promise<IdpConnection & { entityId: string }> {
  const connection = await findConnectionById(app, id)
  if (!connection?.enabled || connection.type !== 'saml' || connection.entityId === null)
    throw new SamlResponseError('comes through a connection that is not in use')
  return { ...connection, entityId: connection.entityId }
}

/** The version of a connection that verified an assertion. */
type ConnectionVersion = { id: ConnectionId; updatedAt: string }
const versionOf = ({ id, updatedAt }: IdpConnection): ConnectionVersion => ({
  id,
  updatedAt: updatedAt.toISOString(),
})

async function requireUnchangedConnection(
  app: App,
  { id, updatedAt }: ConnectionVersion,
): Promise<IdpConnection> {
  const connection = await requireEnabledConnection(app, id)
  if (versionOf(connection).updatedAt !== updatedAt)
    throw new SamlResponseError('comes through a connection that was changed since')
  return connection
}

/** The log gets the reason; the caller learns only that it failed. */
async function orSsoFailed<T>(app: App, request: RequestInfo, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SamlResponseError)) throw error
    app.log.warn({ requestId: request.id, reason: error.message.slice(0, 300) }, 'sso.saml.response_rejected')
    throw new ApiError('sso_failed')
  }
}

// The request id is the flow key, so the signed InResponseTo identifies the flow. XML ids must start with a
// letter or underscore.
const requestIdOf = (key: string): string => `_${key}`
const keyOf = (requestId: string): string => requestId.replace(/^_/, '')
const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')
