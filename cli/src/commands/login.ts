// cowrie auth login: sign in with a browser, or with a key, for all further commands.
import { type AuthDeviceStartBody, CowrieError, type Me } from '@cowrie/sdk'
import type { Command, Context } from '../command.ts'
import { type Credential, type Credentials, serviceName } from '../credentials.ts'
import { collectKey } from '../device-login.ts'
import { findKeyId, revokeStored, scopesIn } from '../keys.ts'
import { plain } from '../terminal/line.ts'
import { Failure, UsageError } from '../wrong.ts'

const STDIN_CHARACTERS_MAX = 4_096
const CLIENT_NAME_CHARACTERS_MAX = 100

export const login: Command = {
  name: 'auth login',
  summary: 'Sign in with a browser and keep a key for further commands.',
  args: { min: 0, max: 0 },
  options: {
    server: {
      type: 'string',
      placeholder: '<url>',
      summary: 'Where to sign in; the same as --base-url. Further commands go there too.',
    },
    scopes: {
      type: 'string',
      multiple: true,
      placeholder: '<scope,…>',
      summary: 'What the key shall be able to do; else agent:run, wallet:read and metrics:read.',
    },
    open: { type: 'boolean', summary: 'Open the page in the browser of this computer.' },
    'with-key': { type: 'boolean', summary: 'Keep a key that is read from the standard input.' },
  },
  async run(context) {
    const { values, out, baseUrl, keyFromEnvironment } = context
    if (values['with-key'] && (values.open || values.scopes))
      throw new UsageError('--with-key goes with neither --open nor --scopes.')
    const credentials = homeOf(context)
    await credentials.prepare()
    if (isReadableOnTheWay(baseUrl))
      out.warn(`${baseUrl} is not encrypted: everybody on the way can read the key.`)

    const given = values['with-key'] ? await takeKey(context) : null
    const credential = given?.credential ?? (await askForKey(context))
    // Before anything else is asked: the key exists, and whoever interrupts now should find it.
    await keep(context, credentials, credential)
    const me = given?.me ?? (await ownerOf(context, credential))
    if (keyFromEnvironment) out.warn('COWRIE_API_KEY is set and goes before the key that was stored now.')
    out.result(
      {
        baseUrl,
        userId: credential.userId,
        orgId: credential.orgId,
        keyId: credential.id,
        scopes: me?.scopes ?? null,
        path: credentials.path,
      },
      [
        `Signed in to ${baseUrl} as ${me ? `${me.email}, ${me.orgName}` : credential.userId}.`,
        `The key is in ${credentials.path}.`,
      ],
    )
  },
}

function homeOf({ credentials }: Context): Credentials {
  if (credentials) return credentials
  throw new Failure(
    'no_home',
    'Neither XDG_CONFIG_HOME nor HOME is set, so a key cannot be kept; use COWRIE_API_KEY.',
  )
}

/** Stores the key in place of an earlier one, which ends if a login made it. */
async function keep(
  { baseUrl, connect, signal, out }: Context,
  credentials: Credentials,
  credential: Credential,
): Promise<void> {
  const earlier = (await credentials.readPrivate()).services.get(serviceName(baseUrl))
  try {
    await credentials.keep(baseUrl, credential)
  } catch (error) {
    // Nobody has it, so nobody should be able to use it.
    if (credential.origin === 'login') await revokeStored(connect(credential.key), credential, signal)
    throw error
  }
  if (earlier?.origin !== 'login' || earlier.key === credential.key) return
  const left = await revokeStored(connect(earlier.key), earlier, signal)
  if (left) out.warn(`The key before this one, ${earlier.id}, was not revoked: ${left.message}`)
}

async function askForKey({ connect, values, out, machine, signal }: Context): Promise<Credential> {
  const stranger = connect(undefined)
  const started = await stranger.auth.device.start(
    { clientName: clientName(machine.hostName), scopes: scopesIn<Scope>(values) },
    { signal },
  )
  const { userCode, verificationUrl, verificationUrlComplete, expiresIn } = started
  if (out.json) out.error({ verificationUrl, verificationUrlComplete, userCode, expiresIn })
  else {
    out.note(`Open ${verificationUrl} in a browser and enter this code:`)
    out.note('')
    out.note(`    ${userCode}`)
    out.note('')
    out.note(`Waiting for ${Math.ceil(expiresIn / 60)} minutes; Ctrl-C ends it.`)
  }
  if (values.open && !(await machine.openBrowser(verificationUrlComplete)))
    out.warn('No browser could be opened; open the address yourself.')

  const { key, id, userId, orgId } = await collectKey(stranger, started, {
    machine,
    signal,
    onTrouble: (error) => out.warn(`${error.message} Still waiting.`),
  })
  return { key, id, origin: 'login', userId, orgId }
}

/** Null when the service does not say; the key is there all the same. */
async function ownerOf({ connect, signal }: Context, { key }: Credential): Promise<Me | null> {
  try {
    return await connect(key).me.get({ signal })
  } catch (error) {
    if (error instanceof CowrieError) return null
    throw error
  }
}

type Scope = NonNullable<AuthDeviceStartBody['scopes']>[number]

/** From the standard input, because what stands on the line is seen by everybody on this computer. */
async function takeKey({
  connect,
  machine,
  out,
  signal,
}: Context): Promise<{ credential: Credential; me: Me }> {
  if (machine.isTyped) out.note('Paste the key and press Enter.')
  let text = ''
  for await (const chunk of machine.stdin(signal)) {
    text += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)
    if (text.includes('\n') || text.length > STDIN_CHARACTERS_MAX) break
  }
  const key = text.split('\n')[0]?.trim() ?? ''
  if (!/^[\x21-\x7e]{1,1000}$/.test(key))
    throw new UsageError('The standard input has no key on its first line.')
  const client = connect(key)
  const me = await client.me.get({ signal })
  const id = await findKeyId(client, key, signal)
  return { credential: { key, id, origin: 'given', userId: me.userId, orgId: me.orgId }, me }
}

const isReadableOnTheWay = (url: string): boolean =>
  /^http:/i.test(url) && !/^http:\/\/(127(\.\d+){3}|localhost|\[::1\])(:\d+)?(\/|$)/i.test(url)

const clientName = (hostName: string): string =>
  `Cowrie CLI on ${plain(hostName)}`.trim().slice(0, CLIENT_NAME_CHARACTERS_MAX)
