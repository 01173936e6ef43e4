// SAML metadata of this service, and its authentication requests.
import { deflateRawSync } from 'node:zlib'
import { html } from '../../kernel/html.ts'
import type { App } from '../../platform/app.ts'
import { redirectUri } from '../connection-admin.ts'
import { ASSERTION, PROTOCOL } from './xml.ts'

/** Our entity id is the URL of our metadata. */
export const ourEntityId = (app: App): string => `${app.config.baseUrl}/auth/sso/saml/metadata`
export const ourAcsUrl = (app: App): string => redirectUri(app, 'saml')

// The provider chooses the format of the name id; most support only one.
const ANY_NAME = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'

export async function metadataXml(app: App): Promise<string> {
  // Loaded when first needed: few organisations use SAML, and it would delay every start.
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml')
  return generateServiceProviderMetadata({
    issuer: ourEntityId(app),
    callbackUrl: ourAcsUrl(app),
    identifierFormat: ANY_NAME,
    wantAssertionsSigned: true,
    // A constant id keeps the metadata stable.
    generateUniqueId: () => '_metadata',
  })
}

/** The provider URL with the encoded authentication request. */
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
