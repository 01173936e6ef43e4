// Verifies a SAML response: signature, audience, time and the request it answers.
import { isUtf8 } from 'node:buffer'
import { parseProfile, type SamlProfile } from './profile.ts'
import { checkStructure, verifiedAssertion } from './signature.ts'
import {
  ASSERTION,
  childrenOf,
  onlyChild,
  PROTOCOL,
  parseXml,
  SamlResponseError,
  textOf,
  type XmlElement,
} from './xml.ts'

/** Values that a response must match. */
export type ExpectedResponse = {
  /** Entity id and certificates of the provider. */
  issuer: string
  certificates: readonly string[]
  /** Our entity id and the URL that receives responses. */
  audience: string
  acsUrl: string
  requestId: string
  now: Date
}

export type SamlAssertion = SamlProfile & {
  id: string
  /** The assertion could be replayed until this time. */
  endsAt: Date
}

const SKEW_MS = 60_000
const ID_LENGTH_MAX = 256
// Some providers send a date in the far future. The flow expires long before.
const REMEMBERED_MS_MAX = 24 * 3_600_000

/** A decoded response. It is unverified, but it names the request it claims to answer. */
export type UnverifiedResponse = { xml: string; root: XmlElement; inResponseTo: string }

/**
 * Decodes a response or throws SamlResponseError. The POST binding does not compress, so nothing is inflated.
 */
export function decodeResponse(encoded: string): UnverifiedResponse {
  const base64 = encoded.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new SamlResponseError('is not base64')
  const bytes = Buffer.from(base64, 'base64')
  if (!isUtf8(bytes)) throw new SamlResponseError('is not UTF-8')
  const xml = bytes.toString('utf8')
  const root = parseXml(xml)
  if (root.namespace !== PROTOCOL || root.name !== 'Response')
    throw new SamlResponseError('is something else')
  checkStatus(root)
  checkStructure(root)
  return { xml, root, inResponseTo: root.attributes.get('InResponseTo') ?? '' }
}

/** Verifies a response or throws SamlResponseError. The profile comes only from signed elements. */
export async function verifyResponse(
  { xml, root }: UnverifiedResponse,
  expected: ExpectedResponse,
): Promise<SamlAssertion> {
  checkEnvelope(root, expected)
  const assertion = await verifiedAssertion(xml, root, expected)
  checkIssuer(onlyChild(assertion, ASSERTION, 'Issuer'), expected)
  const subject = onlyChild(assertion, ASSERTION, 'Subject')
  const ends = [checkSubject(subject, expected), checkConditions(assertion, expected)]
  checkStatement(assertion, expected)
  const id = assertion.attributes.get('ID') ?? ''
  if (id.length > ID_LENGTH_MAX) throw new SamlResponseError('has an assertion with an endless identifier')
  const end = Math.max(...ends.map((each) => each.getTime())) + SKEW_MS
  const endsAt = new Date(Math.min(end, expected.now.getTime() + REMEMBERED_MS_MAX))
  return { id, endsAt, ...parseProfile(assertion, onlyChild(subject, ASSERTION, 'NameID')) }
}

function checkStatus(response: XmlElement): void {
  const code = onlyChild(onlyChild(response, PROTOCOL, 'Status'), PROTOCOL, 'StatusCode').attributes.get(
    'Value',
  )
  if (code !== 'urn:oasis:names:tc:SAML:2.0:status:Success')
    throw new SamlResponseError('says that the sign-in failed')
}

/** The envelope may be unsigned, so these checks can only reject. */
function checkEnvelope(response: XmlElement, expected: ExpectedResponse): void {
  const { attributes } = response
  if (attributes.get('Version') !== '2.0') throw new SamlResponseError('is of another version')
  if (attributes.get('Destination') !== expected.acsUrl)
    throw new SamlResponseError('is meant for another address')
  if (attributes.get('InResponseTo') !== expected.requestId)
    throw new SamlResponseError('answers another request')
  for (const issuer of childrenOf(response, ASSERTION, 'Issuer')) checkIssuer(issuer, expected)
}

function checkIssuer(issuer: XmlElement, expected: ExpectedResponse): void {
  if (textOf(issuer) !== expected.issuer) throw new SamlResponseError('comes from another provider')
}

/** Checks the bearer confirmation: recipient, request and time. Returns when it ends. */
function checkSubject(subject: XmlElement, expected: ExpectedResponse): Date {
  const confirmation = onlyChild(subject, ASSERTION, 'SubjectConfirmation')
  if (confirmation.attributes.get('Method') !== 'urn:oasis:names:tc:SAML:2.0:cm:bearer')
    throw new SamlResponseError('has no bearer confirmation')
  const { attributes } = onlyChild(confirmation, ASSERTION, 'SubjectConfirmationData')
  if (attributes.get('Recipient') !== expected.acsUrl) throw new SamlResponseError('is for another recipient')
  if (attributes.get('InResponseTo') !== expected.requestId)
    throw new SamlResponseError('has an assertion for another request')
  return checkPeriod(attributes, expected.now)
}

function checkConditions(assertion: XmlElement, expected: ExpectedResponse): Date {
  const conditions = onlyChild(assertion, ASSERTION, 'Conditions')
  const restrictions = childrenOf(conditions, ASSERTION, 'AudienceRestriction')
  const isForUs = (restriction: XmlElement) =>
    childrenOf(restriction, ASSERTION, 'Audience').some((audience) => textOf(audience) === expected.audience)
  if (restrictions.length === 0 || !restrictions.every(isForUs))
    throw new SamlResponseError('is for another audience')
  return checkPeriod(conditions.attributes, expected.now)
}

/** Without an AuthnStatement the provider does not assert a sign-in. */
function checkStatement(assertion: XmlElement, { now }: ExpectedResponse): void {
  const statements = childrenOf(assertion, ASSERTION, 'AuthnStatement')
  if (statements.length === 0) throw new SamlResponseError('has no authentication statement')
  for (const { attributes } of statements) {
    const end = attributes.get('SessionNotOnOrAfter')
    if (end !== undefined && hasPassed(parseInstant(end), now))
      throw new SamlResponseError('is of a session that has ended')
  }
}

function checkPeriod(attributes: ReadonlyMap<string, string>, now: Date): Date {
  const start = attributes.get('NotBefore')
  if (start !== undefined && parseInstant(start).getTime() > now.getTime() + SKEW_MS)
    throw new SamlResponseError('is not valid yet')
  const end = parseInstant(attributes.get('NotOnOrAfter') ?? '')
  if (hasPassed(end, now)) throw new SamlResponseError('has expired')
  return end
}

const hasPassed = (end: Date, now: Date): boolean => end.getTime() <= now.getTime() - SKEW_MS

function parseInstant(text: string): Date {
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  if (Number.isNaN(instant)) throw new SamlResponseError('has a time that cannot be read')
  return new Date(instant)
}
