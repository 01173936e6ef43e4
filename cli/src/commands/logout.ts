// cowrie auth logout: the key ends at the service and is forgotten here, whether or not the service can be reached.
import type { CowrieError } from '@cowrie/sdk'
import type { Command, Context } from '../command.ts'
import { type Credential, serviceName } from '../credentials.ts'
import { revokeStored } from '../keys.ts'

export const logout: Command = {
  name: 'auth logout',
  summary: 'Revoke the key that a login has stored, and forget it.',
  args: { min: 0, max: 0 },
  options: {
    server: { type: 'string', placeholder: '<url>', summary: 'Which service; the same as --base-url.' },
  },
  async run(context) {
    const { credentials, baseUrl, out, keyFromEnvironment } = context
    const credential = (await credentials?.readPrivate())?.services.get(serviceName(baseUrl))
    if (keyFromEnvironment) out.warn('COWRIE_API_KEY is set and stays in use.')
    if (!credentials || !credential) {
      out.result({ baseUrl, forgotten: false, revoked: false }, [`No key is stored for ${baseUrl}.`])
      return
    }
    const { revoked, why } = await end(context, credential)
    await credentials.forget(baseUrl)
    if (why) out.warn(why)
    out.result({ baseUrl, keyId: credential.id, forgotten: true, revoked }, [
      revoked ? `Signed out of ${baseUrl}; the key is revoked.` : `The key of ${baseUrl} is forgotten here.`,
    ])
  },
}

type Ended = { revoked: boolean; why: string | null }

async function end({ connect, signal }: Context, credential: Credential): Promise<Ended> {
  const name = credential.id ?? 'the key'
  if (credential.origin === 'given')
    return {
      revoked: false,
      why: `You gave this key yourself, so ${name} still works elsewhere; revoke it where you made it if it should not.`,
    }
  const left: CowrieError | null = await revokeStored(connect(credential.key), credential, signal)
  return {
    revoked: left === null,
    why: left && `${name} could not be revoked and still works: ${left.message} Revoke it in the app.`,
  }
}
