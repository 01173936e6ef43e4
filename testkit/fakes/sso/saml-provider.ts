// A real SAML provider library on localhost. It signs whatever response the test sets, even one for another
// audience.
import { type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import samlp, { type IdPOptions, type SamlRequest } from 'samlp'
import { rsaKeys } from '../../harness/rsa-keys.ts'

export type SamlResponseOptions = {
  nameId?: string
  nameIdFormat?: string
  attributes?: Record<string, string | readonly string[]>
  /** These override values of the request. */
  audience?: string
  recipient?: string
  destination?: string
  inResponseTo?: string
  issuer?: string
  lifetimeInSeconds?: number
  samlStatusCode?: string
  signAssertion?: boolean
  signResponse?: boolean
  signatureAlgorithm?: 'rsa-sha1' | 'rsa-sha256'
  digestAlgorithm?: 'sha1' | 'sha256'
  encryptionCert?: string
  encryptionPublicKey?: string
  /** Keys of another signer. */
  keys?: SamlKeys
}

export type SamlForm = { action: string; SAMLResponse: string; RelayState: string }

export type SamlProvider = {
  readonly entityId: string
  readonly ssoUrl: string
  readonly keys: SamlKeys
  /** Received requests, newest last. */
  readonly requests: SamlRequest[]
  /** Options for its next responses. */
  responseOptions: SamlResponseOptions
  /** Opens the provider URL and returns the form that the browser would post. */
  visit(location: string): Promise<SamlForm>
  close(): Promise<void>
}

export async function startSamlProvider(responseOptions: SamlResponseOptions = {}): Promise<SamlProvider> {
  const keys = makeKeys()
  const requests: SamlRequest[] = []
  const server = createServer((request, response) => {
    const query = Object.fromEntries(new URL(request.url ?? '', 'http://provider').searchParams)
    const withQuery = Object.assign(request, { query }) as never
    samlp.parseRequest(withQuery, (problem, parsed) => {
      if (problem || !parsed) return void response.writeHead(400).end(String(problem))
      requests.push(parsed)
      respond(provider, parsed).then(
        (xml) => response.end(JSON.stringify(formOf(parsed, xml, query.RelayState ?? ''))),
        (error) => response.writeHead(500).end(String(error)),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: SamlProvider = {
    entityId: `${origin}/metadata`,
    ssoUrl: `${origin}/sso?tenant=ours`,
    keys,
    requests,
    responseOptions,
    async visit(location) {
      const page = await fetch(location)
      if (!page.ok) throw new Error(`the provider answers ${page.status}: ${await page.text()}`)
      return (await page.json()) as SamlForm
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return provider
}

/** Builds a response as XML. */
export function respond(
  { entityId, keys, responseOptions }: Pick<SamlProvider, 'entityId' | 'keys' | 'responseOptions'>,
  request: SamlRequest,
): Promise<string> {
  const {
    nameId = 'ada@example.com',
    nameIdFormat = EMAIL_FORMAT,
    attributes = {},
    keys: other,
    ...rest
  } = responseOptions
  const signing = other ?? keys
  const options = {
    issuer: entityId,
    cert: signing.certificate,
    key: signing.privateKey,
    audience: request.issuer,
    recipient: request.assertionConsumerServiceURL,
    destination: request.assertionConsumerServiceURL,
    inResponseTo: request.id,
    signatureAlgorithm: 'rsa-sha256' as const,
    digestAlgorithm: 'sha256' as const,
    lifetimeInSeconds: 300,
    profileMapper: () => ({
      getClaims: () => attributes,
      getNameIdentifier: () => ({ nameIdentifier: nameId, nameIdentifierFormat: nameIdFormat }),
    }),
    getPostURL: () => undefined,
    ...rest,
  }
  return new Promise((resolve, reject) => {
    samlp.getSamlResponse(options as unknown as IdPOptions, {}, (problem, xml) =>
      problem ? reject(problem) : resolve(xml),
    )
  })
}

export type SamlKeys = { privateKey: string; certificate: string }

/** A key with a self-signed certificate. */
export function makeKeys(): SamlKeys {
  const { privateKey, publicKey } = rsaKeys()
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: pem('CERTIFICATE', certificateOf(privateKey, publicKey)),
  }
}

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

const formOf = (request: SamlRequest, xml: string, RelayState: string): SamlForm => ({
  action: request.assertionConsumerServiceURL ?? '',
  SAMLResponse: Buffer.from(xml).toString('base64'),
  RelayState,
})

// Node cannot create certificates, so the required fields are encoded by hand.
function certificateOf(privateKey: KeyObject, publicKey: KeyObject): Buffer {
  const algorithm = der(0x30, Buffer.from('06092a864886f70d01010b0500', 'hex'))
  const name = der(
    0x30,
    der(0x31, der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('provider')))),
  )
  const validity = der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')))
  const version = der(0xa0, der(0x02, Buffer.from([2])))
  const serial = der(0x02, Buffer.from([1]))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const body = der(0x30, version, serial, algorithm, name, validity, name, spki)
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  return der(0x30, body, algorithm, signature)
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), content])
}

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replaceAll(/.{64}/g, '$&\n').trim()}\n-----END ${label}-----\n`
