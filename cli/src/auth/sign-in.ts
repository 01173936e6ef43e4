// Signs in with a browser: shows a code, waits for approval, and stores the key.
import { CowrieError, type Me } from '@cowrie/sdk'
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import { EXIT } from '../exit-codes.ts'
import { clientsOfKey } from '../setup/records.ts'
import { openOnEnter } from '../system/open-on-enter.ts'
import { bold, plain } from '../terminal/line.ts'
import { qrLines } from '../terminal/qr.ts'
import { type Credential, type Credentials, keyFor, matchesOrg, serviceName } from './credentials.ts'
import { collectKey } from './device-login.ts'
import { revokeStored, type Scope } from './keys.ts'

export type SignInResult = {
  readonly credential: Credential
  /** Null when the service does not answer; the key is valid anyway. */
  readonly me: Me | null
}
type SignInOptions = { readonly scopes: Scope[] | undefined; readonly isOpened: boolean }

const CLIENT_NAME_CHARACTERS_MAX = 100

/** The stored keys; throws without a home folder. */
export function requireCredentials({ credentials }: Context): Credentials {
  if (credentials) return credentials
  throw new Failure(
    'no_home',
    'A key cannot be stored: neither XDG_CONFIG_HOME nor HOME is set. Use COWRIE_API_KEY.',
  )
}

export async function signInByBrowser(context: Context, options: SignInOptions): Promise<SignInResult> {
  const credential = await requestKey(context, options)
  return storeKey(context, credential, null)
}

/** Stores a new key if it belongs to the chosen organisation. */
export async function storeKey(
  context: Context,
  credential: Credential,
  known: Me | null,
): Promise<SignInResult> {
  const credentials = requireCredentials(context)
  let me = known
  if (context.org !== undefined) {
    me ??= await ownerOf(context, credential)
    const made = { orgId: credential.orgId, orgName: me?.orgName ?? null }
    if (!matchesOrg(made, context.org)) await rejectOtherOrg(context, credential, made.orgName)
  }
  // Store the key before further calls, so that an interruption does not lose it.
  await replaceKey(context, credentials, { ...credential, orgName: me?.orgName ?? null })
  if (me === null) {
    me = await ownerOf(context, credential)
    if (me) await credentials.save(context.baseUrl, { ...credential, orgName: me.orgName })
  }
  return { credential, me }
}

/** Revokes a key for another organisation than the chosen one. */
async function rejectOtherOrg(
  { connect, org, signal }: Context,
  credential: Credential,
  name: string | null,
) {
  if (credential.origin === 'login') await revokeStored(connect(credential.key), credential, signal)
  throw new Failure(
    'other_organisation',
    `The key is for ${name ?? credential.orgId}, not for "${org}", and was not stored.`,
    { exit: EXIT.failed, next: 'Switch to that organisation in the app, then sign in again.' },
  )
}

/**
 * Stores the key. A previous key of the same organisation is revoked if a login created it, unless that would
 * also revoke the keys of clients.
 */
async function replaceKey(
  { baseUrl, connect, signal, out, paths }: Context,
  credentials: Credentials,
  credential: Credential,
): Promise<void> {
  const kept = (await credentials.readPrivate()).services.get(serviceName(baseUrl))
  const earlier = keyFor(kept, credential.orgId)
  try {
    await credentials.save(baseUrl, credential)
  } catch (error) {
    // The key was not stored, so it must not stay valid.
    if (credential.origin === 'login') await revokeStored(connect(credential.key), credential, signal)
    throw error
  }
  if (earlier?.origin !== 'login' || earlier.key === credential.key) return
  const clients = clientsOfKey(paths, earlier.id)
  if (clients.length > 0) {
    out.warn(
      `The previous key ${earlier.id} stays valid: it created the keys of ${clients.map(({ title }) => title).join(', ')}. To revoke it, set them up again and run "cowrie keys revoke ${earlier.id}".`,
    )
    return
  }
  const left = await revokeStored(connect(earlier.key), earlier, signal)
  if (left) out.warn(`The previous key ${earlier.id} was not revoked: ${left.message}`)
}

async function requestKey(context: Context, { scopes, isOpened }: SignInOptions): Promise<Credential> {
  const { connect, out, machine, signal } = context
  const anonymous = connect(undefined)
  const started = await anonymous.auth.device.start(
    { clientName: clientName(machine.hostName), scopes },
    { signal },
  )
  const { userCode, verificationUrl, verificationUrlComplete, expiresIn } = started
  if (out.json) out.error({ verificationUrl, verificationUrlComplete, userCode, expiresIn })
  else {
    showQr(context, verificationUrlComplete)
    out.note(`Open ${verificationUrl} in a browser and enter this code:`)
    out.note('')
    out.note(['    ', bold(userCode)])
    out.note('')
    out.note(`Waiting up to ${Math.ceil(expiresIn / 60)} minutes. Press Ctrl-C to cancel.`)
  }
  if (!isOpened) openOnEnter(context, verificationUrlComplete)
  else if (!(await machine.openBrowser(verificationUrlComplete)))
    out.warn('No browser could be opened. Open the address yourself.')

  const { key, id, userId, orgId } = await collectKey(anonymous, started, {
    machine,
    signal,
    onTrouble: (error) => out.warn(`${error.message} Still waiting.`),
  })
  return { key, id, origin: 'login', userId, orgId, orgName: null }
}

/** For a phone camera. */
function showQr({ out, machine }: Context, url: string): void {
  if (!machine.isStderrTerminal || out.mode.quiet) return
  for (const line of qrLines(url, out.mode.width()) ?? []) out.note(line)
}

async function ownerOf({ connect, signal }: Context, { key }: Credential): Promise<Me | null> {
  try {
    return await connect(key).me.get({ signal })
  } catch (error) {
    if (error instanceof CowrieError) return null
    throw error
  }
}

const clientName = (hostName: string): string =>
  `Cowrie CLI on ${plain(hostName)}`.trim().slice(0, CLIENT_NAME_CHARACTERS_MAX)
