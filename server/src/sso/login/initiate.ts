// The way to the provider, and what a browser sees when there is none.
import { ApiError, type ErrorCode, invalidFields } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { type Answer, localPath, redirect } from '../../platform/http/answer.ts'
import { isPrefetch, wantsPage } from '../../platform/http/request/request-info.ts'
import type { RequestInfo } from '../../platform/http/route.ts'
import { findConnectionByDomain, findConnectionByOrg } from '../connections.ts'
import { domainOfEmail } from '../domain-names.ts'
import { startSamlLogin } from '../saml/saml-login.ts'
import type { InitiateQuery } from '../schema.ts'
import type { IdpConnection } from '../sql.ts'
import { startOidcLogin } from './oidc.ts'

/** By the domain of an address or by the organisation; whether somebody has an account changes nothing. */
export async function initiate(app: App, request: RequestInfo, query: InitiateQuery): Promise<string> {
  if (query.email === undefined && query.orgId === undefined && !wantsPage(request))
    throw invalidFields({ path: 'query.email', message: 'is required where no orgId is given' })
  const connection = await findConnection(app, query)
  if (!connection?.enabled) throw new ApiError('not_found')
  return connection.type === 'oidc'
    ? startOidcLogin(app, request, connection, query)
    : startSamlLogin(app, request, connection, query.next)
}

function findConnection(app: App, { email, orgId }: InitiateQuery): Promise<IdpConnection | null> | null {
  if (email !== undefined) return findConnectionByDomain(app, domainOfEmail(email))
  return orgId !== undefined && isId('org', orgId) ? findConnectionByOrg(app, orgId) : null
}

// What the sign-in page is told. Anything else is ours to answer for and stays an error.
const PROBLEMS: Partial<Record<ErrorCode, string>> = {
  not_found: 'sso_unknown',
  sso_failed: 'sso_failed',
  sso_unreachable: 'sso_unreachable',
  seats_exceeded: 'seats_exceeded',
  invalid_fields: 'sso_failed',
}

/**
 * Sends the browser on. A person is never left in front of JSON: they go back to the sign-in page, told why, and where
 * they wanted to be is not lost.
 */
export async function redirectBrowser(
  request: RequestInfo,
  destination: () => Promise<string>,
  next?: string,
): Promise<Answer> {
  // A page that somebody might open is no sign-in.
  if (isPrefetch(request))
    throw new ApiError('bad_request', { error: 'A sign-in is not prefetched; open the address.' })
  // Each of these answers belongs to one browser and one moment.
  request.setHeader('cache-control', 'no-store')
  try {
    return redirect(await destination())
  } catch (error) {
    const problem = error instanceof ApiError ? PROBLEMS[error.code] : undefined
    if (!problem || !wantsPage(request)) throw error
    const wanted = next === undefined ? '' : `&next=${encodeURIComponent(localPath(next))}`
    return redirect(`/app/sign-in?problem=${problem}${wanted}`)
  }
}
