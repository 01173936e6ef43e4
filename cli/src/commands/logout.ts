// cowrie auth logout: the key ends at the service and is forgotten here, whether or not the service can be reached.
import type { CowrieError } from '@cowrie/sdk'
import type { Command, Context } from '../command.ts'
import { type Credential, keyFor, serviceName } from '../credentials.ts'
import { revokeStored } from '../keys.ts'

export const logout: Command = {
  name: 'auth logout',
  summary: 'Revoke the key that a login has stored, and forget it.',
  args: { min: 0, max: 0 },
  isKeyless: true,
  options: {
    server: { type: 'string', placeholder: '<url>', summary: 'Which service; the same as --base-url.' },
    all: { type: 'boolean', summary: 'The keys of all organisations at this service.' },
  },
  async run(context) {
    const { credentials, baseUrl, org, out, keyFromEnvironment, values } = context
    const kept = (await credentials?.readPrivate())?.services.get(serviceName(baseUrl))
    const one = keyFor(kept, org)
    const ending = values.all ? [...(kept?.keys.values() ?? [])] : one ? [one] : []
    if (keyFromEnvironment) out.warn('COWRIE_API_KEY is set and stays in use.')
    if (!credentials || ending.length === 0) {
      out.result({ baseUrl, ended: [] }, [
        `No key is stored for ${org === undefined ? '' : `"${org}" at `}${baseUrl}.`,
      ])
      return
    }
    const ended: { orgId: string; keyId: string | null; revoked: boolean }[] = []
    for (const credential of ending) {
      const { revoked, why } = await end(context, credential)
      await credentials.forget(baseUrl, credential.orgId)
      if (why) out.warn(why)
      ended.push({ orgId: credential.orgId, keyId: credential.id, revoked })
    }
    out.result(
      { baseUrl, ended },
      ending.map(({ orgId, orgName }, index) =>
        ended[index]?.revoked
          ? `Signed out of ${orgName ?? orgId} at ${baseUrl}; the key is revoked.`
          : `The key of ${orgName ?? orgId} at ${baseUrl} is forgotten here.`,
      ),
    )
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
