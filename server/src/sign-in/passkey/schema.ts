// Request and reply schemas of passkeys, as in WebAuthn, with limits on every field.
import { z } from 'zod'
import { line, text, timestamp } from '../../platform/http/shapes.ts'

const base64url = (max: number) =>
  text(max).regex(/^[A-Za-z0-9_-]+$/, { error: 'must be base64url without padding' })

// The standard allows credential ids of up to 1023 bytes.
const credentialId = base64url(1_364)
const clientDataJSON = base64url(4_096)
const credentialType = z.literal('public-key')
// No extensions are requested, so their results are ignored.
const clientExtensionResults = z.object({}).default({})

export const NewPasskey = z.object({
  name: line(100),
  response: z.object({
    id: credentialId,
    rawId: credentialId,
    type: credentialType,
    clientExtensionResults,
    response: z.object({
      clientDataJSON,
      attestationObject: base64url(16_384),
      transports: z
        .array(z.string().regex(/^[a-z-]{1,32}$/))
        .max(10)
        .default([]),
    }),
  }),
})

export const PasskeyAnswer = z
  .object({
    response: z.object({
      id: credentialId,
      rawId: credentialId,
      type: credentialType,
      clientExtensionResults,
      response: z.object({
        clientDataJSON,
        authenticatorData: base64url(2_048),
        signature: base64url(2_048),
        userHandle: base64url(86),
      }),
    }),
  })
  .meta({ id: 'PasskeyAnswer' })

export const Passkey = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
    backedUp: z.boolean(),
  })
  .meta({ id: 'Passkey' })

export const PasskeyAdded = z.object({ passkey: Passkey })
export const PasskeyList = z.object({ passkeys: z.array(Passkey) })
export const PasskeyPath = z.object({ id: z.string().regex(/^pky_[0-9a-z]{26}$/) })

const Descriptor = z.object({
  id: z.string(),
  type: z.string(),
  transports: z.array(z.string()).optional(),
})

/** Input of `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const CreationOptions = z
  .object({
    challenge: z.string(),
    rp: z.object({ name: z.string(), id: z.string().optional() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: credentialType, alg: z.int() })),
    timeout: z.int().optional(),
    attestation: z.string().optional(),
    excludeCredentials: z.array(Descriptor).optional(),
    authenticatorSelection: z
      .object({
        residentKey: z.string().optional(),
        requireResidentKey: z.boolean().optional(),
        userVerification: z.string().optional(),
      })
      .optional(),
    hints: z.array(z.string()).optional(),
    extensions: z.object({ credProps: z.boolean().optional() }).optional(),
  })
  .meta({ id: 'PasskeyCreationOptions' })

/** Input of `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const RequestOptions = z
  .object({
    challenge: z.string(),
    rpId: z.string().optional(),
    timeout: z.int().optional(),
    userVerification: z.string().optional(),
  })
  .meta({ id: 'PasskeyRequestOptions' })
