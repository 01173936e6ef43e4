// Starts a sign-in at the provider, or sends the browser to a page that explains the problem.
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

/**
 * Finds the connection by email domain or organisation. The reply does not depend on whether an account
 * exists.
 */
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

// Problem codes for the sign-in page. Other errors stay server errors.
const PROBLEMS: Partial<Record<ErrorCode, string>> = {
  not_found: 'sso_unknown',
  sso_failed: 'sso_failed',
  sso_unreachable: 'sso_unreachable',
  seats_exceeded: 'seats_exceeded',
  invalid_fields: 'sso_failed',
}

/**
 * Redirects the browser. On a problem it redirects to the sign-in page with the code and keeps `next`,
 * instead of showing JSON.
 */
export async function redirectBrowser(
  request: RequestInfo,
  destination: () => Promise<string>,
  next?: string,
): Promise<Answer> {
  // A prefetch must not start a sign-in.
  if (isPrefetch(request))
    throw new ApiError('bad_request', {
      error: 'A sign-in cannot be prefetched. Open the address in the browser.',
    })
  // The redirect is valid for one browser, once.
  request.setHeader('cache-control', 'no-store')
  try {
    return redirect(await destination())
  } catch (error) {
    const problem = error instanceof ApiError ? PROBLEMS[error.code] : undefined
    if (!problem || !wantsPage(request)) throw error
    const nextParameter = next === undefined ? '' : `&next=${encodeURIComponent(localPath(next))}`
    return redirect(`/app/sign-in?problem=${problem}${nextParameter}`)
  }
}
