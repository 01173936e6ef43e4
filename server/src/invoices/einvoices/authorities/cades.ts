// Signs a text as Egypt's tax authority requires: CAdES-BES, detached, with RSA and SHA-256 (RFC 5652, RFC 5035).
import { hash, type KeyObject, sign, type X509Certificate } from 'node:crypto'

export type Signer = { readonly key: KeyObject; readonly certificate: X509Certificate }

/** The signature in base64. */
export function signCades(text: string, { key, certificate }: Signer, at: Date): string {
  const attributes = setOf([
    attribute(OIDS.contentType, oid(OIDS.digestedData)),
    attribute(OIDS.signingTime, encode(0x17, Buffer.from(utcTime(at)))),
    attribute(OIDS.messageDigest, octets(sha256(text))),
    attribute(OIDS.signingCertificateV2, sequence(sequence(sequence(octets(sha256(certificate.raw)))))),
  ])
  const signerInfo = sequence(
    integer(1),
    issuerAndSerial(certificate.raw),
    SHA256,
    // The signature covers the attributes as a SET; the structure has them as [0].
    retag(0xa0, attributes),
    sequence(oid(OIDS.rsa), NULL),
    octets(sign('sha256', attributes, key)),
  )
  const signedData = sequence(
    integer(3),
    setOf([SHA256]),
    sequence(oid(OIDS.digestedData)),
    encode(0xa0, certificate.raw),
    setOf([signerInfo]),
  )
  return sequence(oid(OIDS.signedData), encode(0xa0, signedData)).toString('base64')
}

const OIDS = {
  signedData: '1.2.840.113549.1.7.2',
  digestedData: '1.2.840.113549.1.7.5',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
  rsa: '1.2.840.113549.1.1.1',
} as const

const sha256 = (data: string | Buffer): Buffer => hash('sha256', data, 'buffer')

/** DER: a tag, the length and the content. */
function encode(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const digits = length.toString(16)
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

const sequence = (...content: readonly Buffer[]): Buffer => encode(0x30, ...content)
const octets = (content: Buffer): Buffer => encode(0x04, content)
const integer = (value: number): Buffer => encode(0x02, Buffer.from([value]))
/** DER sorts the elements of a SET OF. */
const setOf = (elements: readonly Buffer[]): Buffer => encode(0x31, ...[...elements].sort(Buffer.compare))
const attribute = (type: string, value: Buffer): Buffer => sequence(oid(type), setOf([value]))
const retag = (tag: number, element: Buffer): Buffer =>
  Buffer.concat([Buffer.from([tag]), element.subarray(1)])

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest.flatMap(base128)]
  return encode(0x06, Buffer.from(bytes))
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}

const NULL = encode(0x05)
const SHA256 = sequence(oid(OIDS.sha256), NULL)

/** `261115130000Z` */
const utcTime = (at: Date): string => `${at.toISOString().replaceAll(/\D/g, '').slice(2, 14)}Z`

/** Copies the issuer and the serial number out of a certificate. */
function issuerAndSerial(certificate: Buffer): Buffer {
  const [signedPart = certificate] = elementsOf(certificate)
  const parts = elementsOf(signedPart)
  // An explicit version comes first.
  const [serial, , issuer] = parts[0]?.[0] === 0xa0 ? parts.slice(1) : parts
  if (!serial || !issuer) throw new Error('the certificate has an issuer and a serial number')
  return sequence(issuer, serial)
}

/** The elements inside a DER element. */
function elementsOf(element: Buffer): Buffer[] {
  const found: Buffer[] = []
  const end = element.length
  for (let at = headerOf(element, 0).start; at < end; ) {
    const { start, length } = headerOf(element, at)
    found.push(element.subarray(at, start + length))
    at = start + length
  }
  return found
}

function headerOf(bytes: Buffer, at: number): { start: number; length: number } {
  const first = bytes[at + 1] ?? 0
  if (first < 0x80) return { start: at + 2, length: first }
  const count = first & 0x7f
  return { start: at + 2 + count, length: bytes.readUIntBE(at + 2, count) }
}
