// cowrie auth logout: revokes the key and removes it here, also when the service is unreachable.
import type { CowrieError } from '@cowrie/sdk'
import { type Credential, keyFor, serviceName } from '../../auth/credentials.ts'
import { revokeStored } from '../../auth/keys.ts'
import type { Command, Context } from '../../command.ts'
import { clientsOfKey } from '../../setup/records.ts'

export const logout: Command = {
  name: 'auth logout',
  summary: 'Revoke and remove the stored key.',
  args: { min: 0, max: 0 },
  isKeyless: true,
  options: {
    server: { type: 'string', placeholder: '<url>', summary: 'The service, same as --base-url.' },
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
      const clients = revoked ? clientsOfKey(context.paths, credential.id) : []
      if (clients.length > 0)
        out.warn(
          `The keys of ${clients.map(({ title }) => title).join(', ')} are revoked too. After a sign-in, set them up again with "cowrie setup <client>".`,
        )
      await credentials.remove(baseUrl, credential.orgId)
      if (why) out.warn(why)
      ended.push({ orgId: credential.orgId, keyId: credential.id, revoked })
    }
    out.result(
      { baseUrl, ended },
      ending.map(({ orgId, orgName }, index) =>
        ended[index]?.revoked
          ? `Signed out of ${orgName ?? orgId} at ${baseUrl}. The key is revoked.`
          : `Removed the key of ${orgName ?? orgId} at ${baseUrl} from this computer.`,
      ),
    )
  },
}

type RevokeResult = { revoked: boolean; why: string | null }

async function end({ connect, signal }: Context, credential: Credential): Promise<RevokeResult> {
  const name = credential.id ?? 'the key'
  if (credential.origin === 'given')
    return {
      revoked: false,
      why: `${name} was not created by a login and still works. Revoke it where you created it.`,
    }
  const left: CowrieError | null = await revokeStored(connect(credential.key), credential, signal)
  return {
    revoked: left === null,
    why: left && `${name} could not be revoked and still works: ${left.message} Revoke it in the app.`,
  }
}
