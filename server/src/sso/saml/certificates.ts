// Certificates of a SAML provider. Their keys are pinned; no chain is verified.
import { X509Certificate } from 'node:crypto'

const CERTIFICATES_MAX = 10
const RSA_BITS_MIN = 2_048
const PEM = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/** Normalises each certificate to PEM, or returns the problem. */
export function readCertificates(text: string): string[] | { problem: string } {
  const blocks = text.match(PEM) ?? [asPem(text)]
  if (blocks.length > CERTIFICATES_MAX) return { problem: `has more than ${CERTIFICATES_MAX} certificates` }
  const pems = new Set<string>()
  for (const block of blocks) {
    const certificate = parse(block)
    if (!certificate) return { problem: 'is not an X.509 certificate in PEM or base64' }
    if (!hasUsableKey(certificate))
      return { problem: `must have an RSA key of at least ${RSA_BITS_MIN} bits` }
    pems.add(certificate.toString())
  }
  return [...pems]
}

// Metadata documents contain the base64 without the PEM header and footer.
const asPem = (text: string): string =>
  `-----BEGIN CERTIFICATE-----\n${text.replaceAll(/\s/g, '')}\n-----END CERTIFICATE-----`

function parse(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem)
  } catch {
    return null
  }
}

/** The library verifies XML signatures with RSA only; other keys would never work. */
function hasUsableKey(certificate: X509Certificate): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= RSA_BITS_MIN
  } catch {
    // Node does not support this type of key.
    return false
  }
}
