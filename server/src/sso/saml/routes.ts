// SAML's endpoints, in the order a sign-in meets them. It begins at /auth/sso/initiate.
import { redirect } from '../../platform/http/answer.ts'
import { wantsPage } from '../../platform/http/request/request-info.ts'
import { type RequestInfo, raw, route } from '../../platform/http/route.ts'
import { redirectBrowser } from '../login/initiate.ts'
import { metadataXml } from './metadata.ts'
import { finishSamlLogin, receiveResponse, type SamlOutcome } from './saml-login.ts'
import { ACS_BODY_BYTES, AcsForm, FinishQuery, SamlSignedIn } from './schema.ts'

export const samlRoutes = [
  route('auth.sso.samlMetadata', 'GET /auth/sso/saml/metadata', {
    summary: 'Describe this service to a SAML identity provider.',
    access: 'none',
    rate: 'global',
    reply: { 200: raw('application/samlmetadata+xml', 'Our entity id, and where we receive responses.') },
    handle: ({ app }) => metadataXml(app),
  }),

  route('auth.sso.samlAcs', 'POST /auth/sso/saml/acs', {
    summary: 'Receive the response of a SAML identity provider.',
    detail:
      'A response must answer a request of ours: sign-ins begin here, at `/auth/sso/initiate`. Browsers are sent on; programs that kept the cookies of the beginning are signed in by this call.',
    access: 'none',
    rate: 'auth',
    audit: true,
    fromOtherSites: true,
    duringMaintenance: 'Staff sign in here.',
    body: AcsForm,
    form: true,
    bodyLimitBytes: ACS_BODY_BYTES,
    reply: { 200: SamlSignedIn, 302: raw('', 'Where to go on.') },
    errors: ['sso_failed', 'seats_exceeded'],
    handle: ({ app, body, request }) =>
      replyToBrowserOrProgram(request, () => receiveResponse(app, request, body.SAMLResponse)),
  }),

  route('auth.sso.samlFinish', 'GET /auth/sso/saml/finish', {
    summary: 'End a SAML sign-in in the browser that began it.',
    access: 'none',
    rate: 'auth',
    head: false,
    query: FinishQuery,
    reply: { 200: SamlSignedIn, 302: raw('', 'Where to go on.') },
    errors: ['sso_failed', 'seats_exceeded', 'outcome_unknown'],
    handle: ({ app, query, request }) =>
      replyToBrowserOrProgram(request, () => finishSamlLogin(app, request, query.ticket)),
  }),
]

/** Browsers are sent to a page, also when it failed; programs are told. */
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
