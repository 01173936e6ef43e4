// The key of a client: only for model calls, named after the client and this computer.
import { type Client, CowrieError } from '@cowrie/sdk'
import type { ClientRecipe } from '@cowrie/sdk/clients'
import { connect } from '../auth/connect.ts'
import { type Credential, keyFor, serviceName } from '../auth/credentials.ts'
import type { KeyLimits } from '../auth/key-limits.ts'
import { SCOPES } from '../auth/keys.ts'
import { signInByBrowser } from '../auth/sign-in.ts'
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { plain } from '../terminal/line.ts'
import type { SetupRecord } from './records.ts'

const NAME_CHARACTERS_MAX = 100

export type ClientKey = { readonly id: string; readonly key: string }
export type KeyMaker = {
  readonly client: Client
  /** The id of the key that creates others; null when it is unknown. */
  readonly id: string | null
}

/** A client that can create keys. Signs in again for that permission if the user can agree. */
export async function keyMaker(context: Context): Promise<KeyMaker> {
  const { client, credentials, baseUrl, signal, ask, keyFromEnvironment } = context
  const { scopes } = await client.me.get({ signal })
  if (scopes.includes('*') || scopes.includes('keys:manage'))
    return { client, id: (await storedCredential(context))?.id ?? null }
  const next = `Run "cowrie auth login --scopes ${SCOPES.join(',')}".`
  if (keyFromEnvironment || !credentials || !ask.isPossible)
    throw new Failure(
      'insufficient_scope',
      `This needs a sign-in at ${baseUrl} with the scope keys:manage.`,
      {
        exit: EXIT.notAllowed,
        next,
      },
    )
  if (!(await ask.yes('Creating a key for this client needs the scope keys:manage. Sign in again for it?')))
    throw new Failure('cancelled', 'Nothing was changed.', { exit: EXIT.cancelled, next })
  const { credential } = await signInByBrowser(context, { scopes: [...SCOPES], isOpened: false })
  return { client: context.connect(credential.key), id: credential.id }
}

async function storedCredential(context: Context): Promise<Credential | undefined> {
  const { credentials, baseUrl, org, keyFromEnvironment } = context
  if (keyFromEnvironment) return undefined
  return keyFor((await credentials?.read())?.services.get(serviceName(baseUrl)), org)
}

export async function createClientKey(
  { client }: KeyMaker,
  recipe: ClientRecipe,
  limits: KeyLimits,
  { machine, signal }: Context,
): Promise<ClientKey> {
  const name = `${recipe.title} on ${plain(machine.hostName)}`.trim().slice(0, NAME_CHARACTERS_MAX)
  return client.keys.create({ name, scopes: ['agent:run'], ...limits }, { signal })
}

/** Revokes the key of a setup with the key itself. Null when it is revoked; otherwise the error. */
export async function revokeClientKey({
  baseUrl,
  key,
  keyId,
}: Pick<SetupRecord, 'baseUrl' | 'key' | 'keyId'>): Promise<CowrieError | null> {
  try {
    await clientOf({ baseUrl, key }).keys.revoke(keyId)
    return null
  } catch (error) {
    if (!(error instanceof CowrieError)) throw error
    return error.status === 401 || error.status === 404 ? null : error
  }
}

/** A key is sent only to the service that issued it. */
export const clientOf = ({ baseUrl, key }: Pick<SetupRecord, 'baseUrl' | 'key'>): Client =>
  connect(baseUrl, key, null, undefined)
