// Who we are to a SAML provider, and what we ask it.
import { deflateRawSync } from 'node:zlib'
import { generateServiceProviderMetadata } from '@node-saml/node-saml'
import { html } from '../../kernel/html.ts'
import type { App } from '../../platform/app.ts'
import { redirectUri } from '../connection-admin.ts'
import { ASSERTION, PROTOCOL } from './xml.ts'

/** Our name: also the address of our description. */
export const ourEntityId = (app: App): string => `${app.config.baseUrl}/auth/sso/saml/metadata`
export const ourAcsUrl = (app: App): string => redirectUri(app, 'saml')

// The provider chooses how it names people; most can only name them in one way.
const ANY_NAME = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'

export const metadataXml = (app: App): string =>
  generateServiceProviderMetadata({
    issuer: ourEntityId(app),
    callbackUrl: ourAcsUrl(app),
    identifierFormat: ANY_NAME,
    wantAssertionsSigned: true,
    // The same description each time it is read.
    generateUniqueId: () => '_metadata',
  })

/** Where to send a browser to ask the provider who it is: the request travels in the address. */
export function requestUrl(
  app: App,
  ssoUrl: string,
  { requestId, relayState }: { requestId: string; relayState: string },
): string {
  const { markup } = html`<samlp:AuthnRequest xmlns:samlp="${PROTOCOL}" xmlns:saml="${ASSERTION}"
    ID="${requestId}" Version="2.0" IssueInstant="${app.clock.now().toISOString()}" Destination="${ssoUrl}"
    ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" AssertionConsumerServiceURL="${ourAcsUrl(app)}">
    <saml:Issuer>${ourEntityId(app)}</saml:Issuer>
    <samlp:NameIDPolicy Format="${ANY_NAME}" AllowCreate="true"/>
  </samlp:AuthnRequest>`
  const url = new URL(ssoUrl)
  url.searchParams.set('SAMLRequest', deflateRawSync(markup).toString('base64'))
  url.searchParams.set('RelayState', relayState)
  return url.href
}
