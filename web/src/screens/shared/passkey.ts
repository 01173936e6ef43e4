// Passkeys: converts between the JSON of the service and the bytes of the browser API.
import type {
  AuthPasskeysAddBody,
  AuthPasskeysSignInBody,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '@cowrie/sdk'
import { problem } from '../../data/failure.ts'
import { t } from '../../i18n/t.ts'

type CreatedCredential = PublicKeyCredential & { response: AuthenticatorAttestationResponse }
type UsedCredential = PublicKeyCredential & { response: AuthenticatorAssertionResponse }

export const canUsePasskeys = (): boolean => isSecureContext && 'PublicKeyCredential' in globalThis

/** Null if the user cancelled. */
export async function createPasskey(
  given: PasskeyCreationOptions,
): Promise<AuthPasskeysAddBody['response'] | null> {
  const options = given as PublicKeyCredentialCreationOptionsJSON
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON?.(options) ?? {
    ...options,
    challenge: bytesOf(options.challenge),
    user: { ...options.user, id: bytesOf(options.user.id) },
    excludeCredentials: (options.excludeCredentials ?? []).map(descriptor),
  }
  const made = (await navigator.credentials
    .create({ publicKey: publicKey as PublicKeyCredentialCreationOptions })
    .catch(nullIfCancelled)) as CreatedCredential | null
  if (!made) return null
  const { response } = made
  return {
    ...outline(made),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  }
}

/** Null if the user cancelled. */
export async function usePasskey(
  given: PasskeyRequestOptions,
): Promise<AuthPasskeysSignInBody['response'] | null> {
  const options = given as PublicKeyCredentialRequestOptionsJSON
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON?.(options) ?? {
    ...options,
    challenge: bytesOf(options.challenge),
    allowCredentials: (options.allowCredentials ?? []).map(descriptor),
  }
  const used = (await navigator.credentials
    .get({ publicKey: publicKey as PublicKeyCredentialRequestOptions })
    .catch(nullIfCancelled)) as UsedCredential | null
  if (!used) return null
  const { response } = used
  return {
    ...outline(used),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      userHandle: textOf(response.userHandle ?? new ArrayBuffer(0)),
    },
  }
}

/** Closing the dialog, or its timeout, is no error. */
function nullIfCancelled(error: unknown): null {
  if (!(error instanceof DOMException)) throw error
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return null
  const words =
    error.name === 'InvalidStateError'
      ? t('This device already has a passkey for your account.')
      : t('This browser could not use a passkey.')
  throw problem(words, { code: 'passkey_failed' })
}

const outline = ({ id, rawId }: PublicKeyCredential) => ({
  id,
  rawId: textOf(rawId),
  type: 'public-key' as const,
  clientExtensionResults: {},
})

const descriptor = (known: PublicKeyCredentialDescriptorJSON) => ({ ...known, id: bytesOf(known.id) })

function bytesOf(text: string): ArrayBuffer {
  const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(characters, (character) => character.charCodeAt(0)).buffer
}

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
