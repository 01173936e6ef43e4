// cowrie auth login: signs in with a browser or a key.
import type { Me } from '@cowrie/sdk'
import type { Credential } from '../../auth/credentials.ts'
import { findKeyId, SCOPES, type Scope, scopesIn } from '../../auth/keys.ts'
import { requireCredentials, signInByBrowser, storeKey } from '../../auth/sign-in.ts'
import type { Command, Context } from '../../command.ts'
import { UsageError } from '../../errors.ts'

const STDIN_CHARACTERS_MAX = 4_096

export const login: Command = {
  name: 'auth login',
  summary: 'Sign in with a browser and store a key.',
  args: { min: 0, max: 0 },
  isKeyless: true,
  options: {
    server: {
      type: 'string',
      placeholder: '<url>',
      summary: 'The service to sign in to, same as --base-url. Later commands use it too.',
    },
    scopes: {
      type: 'string',
      multiple: true,
      placeholder: '<scope,…>',
      summary: 'The scopes of the key. Default: agent:run, wallet:read and metrics:read.',
      complete: SCOPES,
    },
    open: { type: 'boolean', summary: 'Open the page in your browser.' },
    'with-key': { type: 'boolean', summary: 'Store a key read from standard input.' },
  },
  async run(context) {
    const { values, out, baseUrl, keyFromEnvironment } = context
    if (values['with-key'] && (values.open || values.scopes))
      throw new UsageError('--with-key cannot be combined with --open or --scopes.')
    const credentials = requireCredentials(context)
    await credentials.prepare()
    if (isUnencrypted(baseUrl)) out.warn(`${baseUrl} is not encrypted: the key can be read on the network.`)

    const { credential, me } = values['with-key']
      ? await storeGivenKey(context)
      : await signInByBrowser(context, {
          scopes: scopesIn<Scope>(values),
          isOpened: values.open === true,
        })
    if (keyFromEnvironment) out.warn('COWRIE_API_KEY is set and takes precedence over the stored key.')
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
        `Signed in to ${baseUrl} as ${me ? accountText(me) : credential.userId}.`,
        `The key is in ${credentials.path}.`,
      ],
    )
  },
}

/** A personal organisation often has the name of its owner. */
const accountText = ({ email, orgName }: Me): string =>
  email === orgName ? email : `${email}, for ${orgName}`

async function storeGivenKey(context: Context) {
  const { credential, me } = await readKey(context)
  return storeKey(context, credential, me)
}

/** From standard input, because other users of this computer can read command lines. */
async function readKey({
  connect,
  machine,
  out,
  signal,
}: Context): Promise<{ credential: Credential; me: Me }> {
  if (machine.isStdinTerminal) out.note('Paste the key and press Enter.')
  let text = ''
  for await (const chunk of machine.stdin(signal)) {
    text += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)
    if (text.includes('\n') || text.length > STDIN_CHARACTERS_MAX) break
  }
  const key = text.split('\n')[0]?.trim() ?? ''
  if (!/^[\x21-\x7e]{1,1000}$/.test(key)) throw new UsageError('Standard input has no key on its first line.')
  const client = connect(key)
  const me = await client.me.get({ signal })
  const id = await findKeyId(client, key, signal)
  const { userId, orgId, orgName } = me
  return { credential: { key, id, origin: 'given', userId, orgId, orgName }, me }
}

const isUnencrypted = (url: string): boolean =>
  /^http:/i.test(url) && !/^http:\/\/(127(\.\d+){3}|localhost|\[::1\])(:\d+)?(\/|$)/i.test(url)
