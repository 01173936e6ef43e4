// Checks the structure of signatures before the library verifies them, so that the result is unambiguous.
// Only verified elements are read afterwards.
import {
  ASSERTION,
  childrenOf,
  everyElement,
  onlyChild,
  parseXml,
  SamlResponseError,
  type XmlElement,
} from './xml.ts'

const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'

// SHA-1 is broken, and an HMAC would use the public key as its secret.
const SIGNATURE_METHODS = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
])
const DIGEST_METHODS = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
])
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const CANONICAL = new Set([
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
])

/** Rejects a response with more than one candidate for the assertion or its signature. */
export function checkStructure(response: XmlElement): void {
  const all = [...everyElement(response)]
  if (all.some(({ name }) => name.startsWith('Encrypted')))
    throw new SamlResponseError('is encrypted, which is not supported; switch encryption off at the provider')
  if (all.filter(({ name }) => name === 'Assertion').length !== 1)
    throw new SamlResponseError('has not exactly one assertion')
  if (all.filter(({ name }) => name === 'Response').length !== 1)
    throw new SamlResponseError('has a response within the response')
  checkIds(all)

  const assertion = onlyChild(response, ASSERTION, 'Assertion')
  const expected = [...signatureOf(response), ...signatureOf(assertion)]
  const found = all.filter(({ name }) => name === 'Signature')
  if (found.length !== expected.length) throw new SamlResponseError('has a signature where none belongs')
  for (const signed of [response, assertion])
    for (const signature of signatureOf(signed)) checkSignature(signature, signed)
  if (signatureOf(assertion).length === 0) throw new SamlResponseError('has an assertion that is not signed')
}

/** The assertion, verified with one of these certificates and parsed from the signed XML. */
export async function verifiedAssertion(
  xml: string,
  response: XmlElement,
  { certificates, audience, acsUrl }: { certificates: readonly string[]; audience: string; acsUrl: string },
): Promise<XmlElement> {
  const { SAML } = await import('@node-saml/node-saml')
  const library = new SAML({
    idpCert: [...certificates],
    issuer: audience,
    callbackUrl: acsUrl,
    wantAssertionsSigned: true,
    // A signature of the response is optional but must be valid.
    wantAuthnResponseSigned: signatureOf(response).length > 0,
    // response.ts checks the conditions once, with the service's clock.
    audience: false,
    acceptedClockSkewMs: -1,
  })
  let verified: string | undefined
  try {
    const { profile } = await library.validatePostResponseAsync({
      SAMLResponse: Buffer.from(xml).toString('base64'),
    })
    verified = profile?.getAssertionXml?.()
  } catch (error) {
    throw new SamlResponseError(`was not accepted: ${error instanceof Error ? error.message : 'unknown'}`)
  }
  if (!verified) throw new SamlResponseError('was not verified')
  return parseXml(verified)
}

const signatureOf = (element: XmlElement): XmlElement[] => childrenOf(element, SIGNATURE, 'Signature')

function checkIds(all: readonly XmlElement[]): void {
  const seen = new Set<string>()
  for (const { attributes } of all)
    for (const [name, value] of attributes) {
      if (!/^(\{.*\})?id$/i.test(name)) continue
      if (seen.has(value)) throw new SamlResponseError('has an identifier twice')
      seen.add(value)
    }
}

/** Requires one reference, to the parent element of the signature. */
function checkSignature(signature: XmlElement, signed: XmlElement): void {
  const names = signature.children.map(({ name }) => name).join(' ')
  if (!/^SignedInfo SignatureValue( KeyInfo)?$/.test(names))
    throw new SamlResponseError('has an unusual signature')
  const info = onlyChild(signature, SIGNATURE, 'SignedInfo')
  if (info.children.map(({ name }) => name).join(' ') !== 'CanonicalizationMethod SignatureMethod Reference')
    throw new SamlResponseError('has an unusual signature')
  const reference = onlyChild(info, SIGNATURE, 'Reference')
  const id = signed.attributes.get('ID')
  if (!id || reference.attributes.get('URI') !== `#${id}`)
    throw new SamlResponseError('has a signature of something else')
  const transforms = childrenOf(onlyChild(reference, SIGNATURE, 'Transforms'), SIGNATURE, 'Transform')
  const [first = '', second = '', ...others] = transforms.map(algorithmOf)
  if (first !== ENVELOPED || !CANONICAL.has(second) || others.length > 0)
    throw new SamlResponseError('is transformed in an unusual way before it is signed')
  if (
    !CANONICAL.has(algorithmOf(onlyChild(info, SIGNATURE, 'CanonicalizationMethod'))) ||
    !SIGNATURE_METHODS.has(algorithmOf(onlyChild(info, SIGNATURE, 'SignatureMethod'))) ||
    !DIGEST_METHODS.has(algorithmOf(onlyChild(reference, SIGNATURE, 'DigestMethod')))
  )
    throw new SamlResponseError('is signed with an algorithm that we do not take')
}

const algorithmOf = ({ attributes }: XmlElement): string => attributes.get('Algorithm') ?? ''
