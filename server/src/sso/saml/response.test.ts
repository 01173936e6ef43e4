import { deflateRawSync } from 'node:zlib'
import { makeKeys, respond, type SamlResponseOptions } from '@cowrie/testkit/fakes/sso/saml-provider.ts'
import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import {
  hmac,
  INTRUDER,
  mutations,
  resigned,
  rsa,
  signedAnew,
  VICTIM,
  WRAPPINGS,
} from '@cowrie/testkit/sso/saml-forgeries.ts'
import { describe, expect, test } from 'vitest'
import { decodeResponse, type ExpectedResponse, verifyResponse } from './response.ts'
import { SamlResponseError } from './xml.ts'

const MUTATIONS = rounds(30, 500)

const keys = makeKeys()
const others = makeKeys()
const entityId = 'https://provider.example/metadata'
const us = 'https://cowrie.example/auth/sso/saml/metadata'
const acsUrl = 'https://cowrie.example/auth/sso/saml/acs'
const expected: Omit<ExpectedResponse, 'now'> = {
  issuer: entityId,
  certificates: [keys.certificate],
  audience: us,
  acsUrl,
  requestId: '_request',
}

const say = (responseOptions: SamlResponseOptions = {}) =>
  respond(
    { entityId, keys, responseOptions: { nameId: VICTIM, ...responseOptions } },
    { id: '_request', issuer: us, assertionConsumerServiceURL: acsUrl },
  )
const encode = (xml: string) => Buffer.from(xml).toString('base64')
const read = async (xml: string, changes: Partial<ExpectedResponse> = {}) =>
  verifyResponse(decodeResponse(encode(xml)), { ...expected, now: new Date(), ...changes })
const at = (seconds: number) => new Date(Date.now() + seconds * 1000)

async function refusalOf(reading: Promise<unknown>): Promise<string> {
  const outcome = await reading.then(
    (person) => `believed: ${JSON.stringify(person)}`,
    (error: unknown) => (error instanceof SamlResponseError ? error.message : `broke: ${error}`),
  )
  return outcome
}

describe('a response is accepted', () => {
  test('when the provider has signed its assertion, and yields the profile', async () => {
    const groups = ['Engineering', 'Admins & Owners', 'Admins & Owners']
    const person = await read(await say({ attributes: { displayName: 'Ada L.', groups } }))
    expect(person).toMatchObject({
      subject: VICTIM,
      email: VICTIM,
      name: 'Ada L.',
      groups: ['Engineering', 'Admins & Owners'],
    })
    expect(person.id).toMatch(/^_\w+/)
    // Five minutes, and the minute that clocks may differ by.
    expect(Math.abs(person.endsAt.getTime() - at(360).getTime())).toBeLessThan(30_000)
  })

  test.for<[Record<string, string | string[]>]>([
    [{ email: VICTIM }],
    [{ mail: VICTIM }],
    [{ 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress': VICTIM }],
    [{ email: VICTIM, mail: VICTIM }],
  ])('with the address in %j when the name id is not an address', async ([attributes]) => {
    const format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
    const person = await read(await say({ nameId: 'u-1', nameIdFormat: format, attributes }))
    expect(person).toMatchObject({ subject: 'u-1', email: VICTIM })
  })

  test.for(['memberOf', 'http://schemas.xmlsoap.org/claims/Group'])('with groups in %s', async (name) => {
    expect(await read(await say({ attributes: { [name]: ['a', 'b'] } }))).toMatchObject({
      groups: ['a', 'b'],
    })
  })

  test('with long names cut and long groups omitted', async () => {
    const groups = ['x'.repeat(501), ...Array.from({ length: 1_100 }, (_, i) => `g${i}`)]
    const person = await read(await say({ attributes: { name: 'y'.repeat(300), groups } }))
    expect(person.name).toHaveLength(200)
    expect(person.groups).toHaveLength(1_000)
    expect(person.groups[0]).toBe('g0')
  })

  test('when the response is signed as well', async () => {
    expect(await read(await say({ signResponse: true }))).toMatchObject({ email: VICTIM })
  })

  test('with any of the certificates of the connection', async () => {
    const certificates = [others.certificate, keys.certificate]
    expect(await read(await say(), { certificates })).toMatchObject({ email: VICTIM })
  })

  test('with base64 in lines, an XML declaration and spaces around', async () => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n${await say()}\n`
    const lines = encode(xml).replaceAll(/.{76}/g, '$&\r\n')
    expect(await verifyResponse(decodeResponse(lines), { ...expected, now: new Date() })).toMatchObject({
      email: VICTIM,
    })
  })

  test('while clocks differ by less than a minute', async () => {
    const xml = await say()
    expect(await read(xml, { now: at(-50) })).toMatchObject({ email: VICTIM })
    expect(await read(xml, { now: at(350) })).toMatchObject({ email: VICTIM })
  })
})

describe('a response is refused', () => {
  test('when nothing is signed', async () => {
    expect(await refusalOf(read(await say({ signAssertion: false })))).toMatch(/assertion that is not signed/)
  })

  test('when the response is signed and the assertion is not', async () => {
    const xml = await say({ signAssertion: false, signResponse: true })
    expect(await refusalOf(read(xml))).toMatch(/assertion that is not signed/)
  })

  test('when the assertion is signed and the signature of the response is broken', async () => {
    const xml = (await say({ signResponse: true })).replace(/ IssueInstant="20/, ' IssueInstant="19')
    expect(await refusalOf(read(xml))).toMatch(/not accepted: Invalid document signature/)
  })

  test('when another key signed it and included its certificate', async () => {
    const xml = await say({ keys: others })
    expect(xml).toContain(others.certificate.split('\n')[1])
    expect(await refusalOf(read(xml))).toMatch(/not accepted: Invalid signature/)
  })

  test('when another key signed it under the name of our certificate', async () => {
    const xml = await say({ keys: { privateKey: others.privateKey, certificate: keys.certificate } })
    expect(await refusalOf(read(xml))).toMatch(/not accepted: Invalid signature/)
  })

  test('when the signed part was changed', async () => {
    const xml = (await say()).replace(`>${VICTIM}<`, `>${INTRUDER}<`)
    expect(await refusalOf(read(xml))).toMatch(/not accepted: Invalid signature/)
  })

  test.for(Object.keys(WRAPPINGS))('%s', async (name) => {
    const genuine = await say({ signResponse: /XSW[12]/.test(name) })
    const forged = WRAPPINGS[name]?.(genuine) ?? ''
    expect(forged).toContain(INTRUDER)
    expect(await refusalOf(read(forged))).toMatch(
      /exactly one assertion|response within the response|signature where none belongs/,
    )
  })

  test.for<[string, (xml: string) => string]>([
    ['a comment in the name', (xml) => xml.replace(VICTIM, 'ada@example.com<!---->.evil.example')],
    ['a comment in the digest', (xml) => xml.replace('<DigestValue>', '<DigestValue><!--x-->')],
    ['an instruction in the name', (xml) => xml.replace(VICTIM, 'ada@<?x?>example.com')],
    ['CDATA in the name', (xml) => xml.replace(VICTIM, `<![CDATA[${INTRUDER}]]>`)],
    ['a document type', (xml) => `<!DOCTYPE x SYSTEM "file:///etc/passwd">${xml}`],
  ])('with %s', async ([, change]) => {
    expect(await refusalOf(read(change(await say())))).toMatch(/document type, comment, instruction or CDATA/)
  })

  test.for<[string, (xml: string) => string]>([
    ['a second SignedInfo', (xml) => xml.replace(/<SignedInfo>.*<\/SignedInfo>/s, '$&$&')],
    ['a second reference', (xml) => xml.replace(/<Reference .*<\/Reference>/s, '$&$&')],
    ['an object in the signature', (xml) => xml.replace('</SignatureValue>', '$&<Object/>')],
  ])('with %s', async ([, change]) => {
    expect(await refusalOf(read(change(await say())))).toMatch(/unusual signature/)
  })

  test.for<[string, (xml: string) => string, RegExp]>([
    ['an unknown entity', (xml) => xml.replace(VICTIM, '&ada;'), /entity that is not built in/],
    ['an attribute twice', (xml) => xml.replace(' Version="2.0"', ' Version="2.0"$&'), /attribute twice/],
    ['a bare attribute', (xml) => xml.replace(' Version="2.0"', ' Version=2.0'), /well-formed/],
    ['a tag left open', (xml) => xml.replace('</samlp:Status>', ''), /closes what is not open/],
    ['two roots', (xml) => `${xml}${xml}`, /is not one element/],
    ['text around it', (xml) => `${xml}x`, /is not one element/],
    ['an undeclared prefix', (xml) => xml.replace('<samlp:Status>', '<x:Status>'), /prefix|closes/],
    [
      'an identifier twice',
      (xml) => xml.replace('<samlp:Status>', '<samlp:Status id="_a" Id="_a">'),
      /twice/,
    ],
    ['a NUL', (xml) => xml.replace(VICTIM, '&#0;'), /does not allow/],
    ['another version', (xml) => xml.replace(' Version="2.0"', ' Version="1.1"'), /version/],
    [
      'a response within the response',
      (xml) => xml.replace('<samlp:Status>', '<samlp:Extensions><samlp:Response/></samlp:Extensions>$&'),
      /response within the response/,
    ],
    [
      'a signature elsewhere',
      (xml) => xml.replace('</samlp:Status>', `${/<Signature .*<\/Signature>/s.exec(xml)?.[0]}$&`),
      /signature where none belongs/,
    ],
    ['another root', (xml) => xml.replaceAll('samlp:Response', 'samlp:Reply'), /something else/],
  ])('with %s', async ([, change, reason]) => {
    expect(await refusalOf(read(change(await say())))).toMatch(reason)
  })

  test('when it is encrypted, and says what to do', async () => {
    const xml = await say({ encryptionCert: others.certificate, encryptionPublicKey: others.certificate })
    expect(await refusalOf(read(xml))).toMatch(/switch encryption off/)
  })

  test('when it is signed with SHA-1', async () => {
    expect(await refusalOf(read(await say({ signatureAlgorithm: 'rsa-sha1' })))).toMatch(/algorithm/)
    expect(await refusalOf(read(await say({ digestAlgorithm: 'sha1' })))).toMatch(/algorithm/)
  })

  test('when it is signed with an HMAC whose secret is the certificate', async () => {
    const genuine = await say()
    // Proves that the forger signs correctly: the same with the right key is accepted.
    expect(await read(resigned(genuine, (info) => info, rsa(keys)))).toMatchObject({ email: VICTIM })
    const method = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'
    const swap = (info: string) => info.replace('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', method)
    const forged = resigned(genuine, swap, hmac(keys.certificate))
    expect(forged).toContain(method)
    expect(await refusalOf(read(forged))).toMatch(/algorithm/)
  })

  test.for<[string, (info: string) => string, RegExp]>([
    ['another element', (info) => info.replace(/URI="[^"]*"/, 'URI=""'), /something else/],
    [
      'what a stylesheet makes of it',
      (info) =>
        info.replace(
          /Algorithm="[^"]*enveloped-signature"/,
          'Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"',
        ),
      /transformed/,
    ],
  ])('when the provider signs %s', async ([, change, reason]) => {
    expect(await refusalOf(read(resigned(await say(), change, rsa(keys))))).toMatch(reason)
  })

  test.for<[SamlResponseOptions, RegExp]>([
    [{ audience: 'https://elsewhere.example' }, /audience/],
    [{ recipient: 'https://elsewhere.example/acs' }, /another recipient/],
    [{ destination: 'https://elsewhere.example/acs' }, /another address/],
    [{ inResponseTo: '_another' }, /another request/],
    [{ inResponseTo: '' }, /another request/],
    [{ issuer: 'https://elsewhere.example' }, /another provider/],
    [{ lifetimeInSeconds: -90 }, /expired/],
    [{ samlStatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }, /sign-in failed/],
    [{ nameId: 'x'.repeat(1_001) }, /has no valid subject/],
    [{ nameId: `${'x'.repeat(300)}@example.com` }, /one email address/],
    [{ nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }, /transient subject/],
    [{ nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' }, /one email address/],
    [
      {
        nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
        attributes: { email: [VICTIM, INTRUDER] },
      },
      /one email address/,
    ],
  ])('when the provider says %j', async ([responseOptions, reason]) => {
    expect(await refusalOf(read(await say(responseOptions)))).toMatch(reason)
  })

  test.for<[string, RegExp, string, RegExp]>([
    ['a key that must be held', /cm:bearer/, 'cm:holder-of-key', /no bearer confirmation/],
    ['no time that it ends at', / NotOnOrAfter="[^"]*" Recipient/, ' Recipient', /parsing NotOnOrAfter/],
    [
      'a time that is none',
      /(<saml:Conditions NotBefore=)"[^"]*"/,
      '$1"tomorrow"',
      /time that cannot be read/,
    ],
    [
      'a confirmation that is not valid yet',
      / Recipient=/,
      ' NotBefore="2100-01-01T00:00:00Z"$&',
      /not valid yet/,
    ],
    ['no recipient', / Recipient="[^"]*"/, '', /another recipient/],
    ['no request', / InResponseTo="[^"]*"/, '', /assertion for another request/],
    [
      'two confirmations',
      /<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/,
      '$&$&',
      /SubjectConfirmation/,
    ],
    ['no conditions', /<saml:Conditions.*<\/saml:Conditions>/, '', /exactly one Conditions/],
    ['no audience', /<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '', /another audience/],
    [
      'a second audience that is another',
      /<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/,
      '$&<saml:AudienceRestriction><saml:Audience>x</saml:Audience></saml:AudienceRestriction>',
      /audience/,
    ],
    [
      'no authentication statement',
      /<saml:AuthnStatement.*<\/saml:AuthnStatement>/,
      '',
      /no authentication statement/,
    ],
    [
      'a session that has ended',
      /<saml:AuthnStatement/,
      '$& SessionNotOnOrAfter="2020-01-01T00:00:00Z"',
      /has ended/,
    ],
    ['no name', />ada@example\.com</, '><', /has no valid subject/],
    ['an element in the name', />ada@example\.com</, '>ada@<saml:b/>example.com<', /elements within NameID/],
    ['an endless identifier', / ID="/, `$&${'x'.repeat(300)}`, /endless identifier/],
    ['no issuer', /<saml:Issuer>[^<]*</, '<saml:Issuer><', /another provider/],
  ])('when the provider signs an assertion with %s', async ([, from, to, reason]) => {
    const genuine = await say()
    expect(await read(signedAnew(genuine, (assertion) => assertion, keys))).toMatchObject({ email: VICTIM })
    const change = (assertion: string) => {
      expect(assertion).toMatch(from)
      return assertion.replace(from, to)
    }
    expect(await refusalOf(read(signedAnew(genuine, change, keys)))).toMatch(reason)
  })

  test('when only the envelope names another request, or only the assertion does', async () => {
    const xml = await say()
    expect(await refusalOf(read(xml.replace('InResponseTo="_request"', 'InResponseTo="_x"')))).toMatch(
      /answers/,
    )
    const other = (await say({ inResponseTo: '_x' })).replace('InResponseTo="_x"', 'InResponseTo="_request"')
    expect(await refusalOf(read(other))).toMatch(/assertion for another request/)
  })

  test('when only the assertion comes from another provider', async () => {
    const xml = (await say({ issuer: 'https://x.example' })).replace('>https://x.example<', `>${entityId}<`)
    expect(await refusalOf(read(xml))).toMatch(/another provider/)
  })

  test('after it expired and before it is valid, by our clock', async () => {
    const xml = await say()
    expect(await refusalOf(read(xml, { now: at(370) }))).toMatch(/expired/)
    expect(await refusalOf(read(xml, { now: at(-70) }))).toMatch(/not valid yet/)
  })

  test.for<[string, string]>([
    ['garbage', 'not base64 at all!'],
    ['nothing', ''],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00]).toString('base64')],
    ['text that is no XML', encode('hello')],
    ['a bomb that would inflate', deflateRawSync(Buffer.alloc(50_000_000, 'a')).toString('base64')],
  ])('when it is %s', async ([, encoded]) => {
    const decode = () => expect(() => decodeResponse(encoded)).toThrow(SamlResponseError)
    expect(measureCost(decode)).toBeLessThan(1_000)
  })

  test.for<[string, string, RegExp]>([
    [
      'entities that multiply',
      `<!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "${'&a;'.repeat(9_000)}">]><l>&b;</l>`,
      /document type/,
    ],
    ['depth', '<a>'.repeat(60_000), /too large or too deep/],
    ['breadth', `<a>${'<b/>'.repeat(40_000)}</a>`, /too large or too deep/],
    ['an endless tag', `<a ${' '.repeat(180_000)}`, /well-formed/],
    ['endless attributes', `<a${' b="c"'.repeat(30_000)}>`, /attribute twice/],
    ['many attributes', `<a>${'<b c="" d="" e="" f=""/>'.repeat(1_400)}</a>`, /too large or too deep/],
    [
      'prefixes that are known all over',
      `<a${Array.from({ length: 6_000 }, (_, i) => ` xmlns:p${i}="b"`).join('')}>${'<b xmlns:c="d"/>'.repeat(4_000)}</a>`,
      /too large or too deep|too many prefixes/,
    ],
    [
      'prefixes here and there',
      `<a${Array.from({ length: 51 }, (_, i) => ` xmlns:p${i}="b"`).join('')}/>`,
      /too many prefixes/,
    ],
  ])('at once when it is made of %s', ([, xml, reason]) => {
    const decode = () => expect(() => decodeResponse(encode(xml))).toThrow(reason)
    expect(measureCost(decode)).toBeLessThan(1_000)
  })

  test(`in ${MUTATIONS} mutated forms, or says exactly what the provider said`, async () => {
    const genuine = await say({ attributes: { groups: ['a', 'b'] } })
    const said = JSON.stringify(await read(genuine))
    const believed = new Set<string>()
    for (const mutated of mutations(genuine, MUTATIONS)) {
      const outcome = await refusalOf(read(mutated))
      expect(outcome).not.toMatch(/^broke/)
      if (outcome.startsWith('believed')) believed.add(outcome)
    }
    // Unsigned and ignored parts may differ, such as the certificate in the signature.
    expect([...believed].filter((each) => each !== `believed: ${said}`)).toEqual([])
  })
})
