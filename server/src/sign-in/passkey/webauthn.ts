// Verifies WebAuthn responses. Does not use the database.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { AttestationObject } from '@simplewebauthn/server/helpers'
import { z } from 'zod'

// Loaded when first needed, because they have hundreds of modules.
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

/** The relying party of WebAuthn: host and origin of the app. */
export type RelyingParty = { host: string; origin: string }
export type PasskeyCredential = {
  credentialId: Uint8Array<ArrayBuffer>
  publicKey: Uint8Array<ArrayBuffer>
  counter: number
}
export type NewPasskeyCredential = PasskeyCredential & { backedUp: boolean }

/** A rejected response, with the reason for the log. */
export class RejectedCredential {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

const TIMEOUT_MS = 300_000
// An RSA key of 8192 bits has half as many bytes; the column allows no more.
const PUBLIC_KEY_BYTES_MAX = 2_048
// Algorithms that all platforms and Node versions support.
const algorithms = async () => {
  const { COSEALG } = await helpers()
  return [COSEALG.ES256, COSEALG.EdDSA, COSEALG.RS256]
}

export const toRelyingParty = ({ baseUrl }: { baseUrl: string }): RelyingParty => {
  const { hostname, origin } = new URL(baseUrl)
  return { host: hostname, origin }
}

/** Options for creating a discoverable passkey. */
export const creationOptions = async (
  site: RelyingParty,
  challenge: Uint8Array<ArrayBuffer>,
  person: { id: string; email: string; name: string | null },
  known: readonly { credentialId: Uint8Array; transports: string[] }[],
) =>
  (await library()).generateRegistrationOptions({
    rpName: 'Cowrie',
    rpID: site.host,
    userID: new TextEncoder().encode(person.id),
    userName: person.email,
    userDisplayName: person.name ?? person.email,
    challenge,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: await algorithms(),
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: Buffer.from(credentialId).toString('base64url'),
      transports,
    })),
  })

/** Options for signing in with any passkey. */
export const requestOptions = async (site: RelyingParty, challenge: Uint8Array<ArrayBuffer>) =>
  (await library()).generateAuthenticationOptions({
    rpID: site.host,
    challenge,
    timeout: TIMEOUT_MS,
    userVerification: 'required',
  })

/** The challenge in a response; null when it is missing. Unverified until the signature is checked. */
export function parseChallenge(clientDataJSON: string): string | null {
  try {
    return ClientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge
  } catch {
    return null
  }
}
const ClientData = z.object({ challenge: z.string().regex(/^[\w-]{43}$/) })

export async function verifyRegistration(
  site: RelyingParty,
  response: RegistrationResponseJSON,
  challenge: string,
): Promise<NewPasskeyCredential | RejectedCredential> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }, supportedAlgorithmIDs] =
    await Promise.all([library(), helpers(), algorithms()])
  return orRejected(async () => {
    refuseCertificates(
      decodeAttestationObject(new Uint8Array(Buffer.from(response.response.attestationObject, 'base64url'))),
    )
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      supportedAlgorithmIDs,
    })
    if (!verified) return new RejectedCredential('the attestation does not verify')
    const { credential, credentialBackedUp } = registrationInfo
    // The library checks neither of these.
    if (credential.id !== response.id)
      return new RejectedCredential('the id is not the one that was attested')
    if (credential.publicKey.length > PUBLIC_KEY_BYTES_MAX)
      return new RejectedCredential('the key is too large')
    return {
      credentialId: new Uint8Array(Buffer.from(credential.id, 'base64url')),
      publicKey: credential.publicKey,
      counter: credential.counter,
      backedUp: credentialBackedUp,
    }
  })
}

export async function verifyAssertion(
  site: RelyingParty,
  response: AuthenticationResponseJSON,
  challenge: string,
  { credentialId, publicKey, counter }: PasskeyCredential,
): Promise<{ counter: number; backedUp: boolean } | RejectedCredential> {
  const { verifyAuthenticationResponse } = await library()
  return orRejected(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: true,
      credential: { id: Buffer.from(credentialId).toString('base64url'), publicKey, counter },
    })
    if (!verified) return new RejectedCredential('the signature does not verify')
    return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp }
  })
}

/**
 * Rejects attestations with certificates. We request none, and the library would fetch revocation lists from
 * addresses in a certificate, which a caller could choose.
 */
function refuseCertificates(attestation: AttestationObject): void {
  const format = attestation.get('fmt')
  if (format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined))
    return
  throw new Error(`an attestation of format ${String(format).slice(0, 40)} was not asked for`)
}

/**
 * The library throws for every invalid response. It does no I/O here, so an error always means an invalid
 * response.
 */
async function orRejected<T>(check: () => Promise<T>): Promise<T | RejectedCredential> {
  try {
    return await check()
  } catch (error) {
    return new RejectedCredential(error instanceof Error ? error.message : 'it cannot be read')
  }
}
