// Endpoints of SAML, in the order of a sign-in. It starts at /auth/sso/initiate.
import { redirect } from '../../platform/http/answer.ts'
import { wantsPage } from '../../platform/http/request/request-info.ts'
import { type RequestInfo, raw, route } from '../../platform/http/route.ts'
import { signedIn } from '../../platform/http/shapes.ts'
import { redirectBrowser } from '../login/initiate.ts'
import { metadataXml } from './metadata.ts'
import { finishSamlLogin, receiveResponse, type SamlOutcome } from './saml-login.ts'
import { ACS_BODY_BYTES, AcsForm, FinishQuery } from './schema.ts'

export const samlRoutes = [
  route('auth.sso.samlMetadata', 'GET /auth/sso/saml/metadata', {
    summary: 'Describe this service to a SAML identity provider.',
    access: 'none',
    rate: 'global',
    reply: { 200: raw('application/samlmetadata+xml', 'Our entity id and assertion consumer URL.') },
    handle: ({ app }) => metadataXml(app),
  }),

  route('auth.sso.samlAcs', 'POST /auth/sso/saml/acs', {
    summary: 'Receive the response of a SAML identity provider.',
    detail:
      'The response must answer a request started at `/auth/sso/initiate`. Browsers are redirected. Programs that kept the cookies are signed in by this call.',
    access: 'none',
    rate: 'auth',
    audit: true,
    fromOtherSites: true,
    duringMaintenance: 'Staff sign in here.',
    body: AcsForm,
    form: true,
    bodyLimitBytes: ACS_BODY_BYTES,
    reply: { 200: signedIn, 302: raw('', 'Redirects to the next page.') },
    errors: ['sso_failed', 'seats_exceeded'],
    handle: ({ app, body, request }) =>
      replyToBrowserOrProgram(request, () => receiveResponse(app, request, body.SAMLResponse)),
  }),

  route('auth.sso.samlFinish', 'GET /auth/sso/saml/finish', {
    summary: 'Complete a SAML sign-in in the browser that started it.',
    access: 'none',
    rate: 'auth',
    head: false,
    query: FinishQuery,
    reply: { 200: signedIn, 302: raw('', 'Redirects to the next page.') },
    errors: ['sso_failed', 'seats_exceeded', 'outcome_unknown'],
    handle: ({ app, query, request }) =>
      replyToBrowserOrProgram(request, () => finishSamlLogin(app, request, query.ticket)),
  }),
]

/** Redirects browsers to a page, even after a failure; programs get a JSON reply. */
async function replyToBrowserOrProgram(request: RequestInfo, receive: () => Promise<SamlOutcome>) {
  if (wantsPage(request)) {
    return redirectBrowser(request, async () => {
      const received = await receive()
      return 'finishAt' in received ? received.finishAt : received.next
    })
  }
  const received = await receive()
  return 'finishAt' in received ? redirect(received.finishAt) : { ok: true as const, ...received.account }
}
