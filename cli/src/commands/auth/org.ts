// cowrie org: the organisations with stored keys, and the current one.

import { type Credential, keyFor, serviceName } from '../../auth/credentials.ts'
import { requireCredentials, signInByBrowser } from '../../auth/sign-in.ts'
import type { Command, Context } from '../../command.ts'
import { columns } from '../../terminal/wrap.ts'

const list: Command = {
  name: 'org list',
  summary: 'List the organisations you are signed in to.',
  args: { min: 0, max: 0 },
  isKeyless: true,
  async run({ credentials, baseUrl, out }) {
    const kept = (await credentials?.read())?.services.get(serviceName(baseUrl))
    const orgs = [...(kept?.keys.values() ?? [])].map(({ orgId, orgName, userId }) => ({
      orgId,
      orgName,
      userId,
      current: orgId === kept?.org,
    }))
    out.result(
      { baseUrl, orgs },
      orgs.length > 0
        ? columns(
            orgs.map(({ orgId, orgName, current }) => [
              `${current ? '*' : ' '} ${orgName ?? orgId}`,
              orgId + (current ? ', current' : ''),
            ]),
          )
        : [`You are not signed in to ${baseUrl}; run "cowrie auth login".`],
    )
  },
}

const choose: Command = {
  name: 'org switch',
  usage: '<id or name>',
  summary: 'Switch to another organisation. Signs in if no key is stored for it.',
  args: { min: 1, max: 1 },
  complete: 'orgs',
  isKeyless: true,
  async run(context) {
    const { args, baseUrl, config, out, keyFromEnvironment } = context
    const [wanted = ''] = args
    const credentials = requireCredentials(context)
    const { services } = await credentials.readPrivate()
    const kept = keyFor(services.get(serviceName(baseUrl)), wanted)
    const { orgId, orgName } = kept ?? (await signInTo(context, wanted))
    // Storing the key again makes its organisation the current one.
    if (kept) await credentials.save(baseUrl, kept)
    if (keyFromEnvironment) out.warn('COWRIE_API_KEY is set and takes precedence.')
    if (config.org !== undefined && config.org !== orgId && config.org !== orgName)
      out.warn(
        `The setting org is "${config.org}" and takes precedence. Remove it with "cowrie config unset org".`,
      )
    out.result({ baseUrl, orgId, orgName }, [`Switched to ${orgName ?? orgId}.`])
  },
}

async function signInTo(context: Context, org: string): Promise<Credential> {
  await requireCredentials(context).prepare()
  context.out.note(
    `No key is stored for "${org}". Sign in, and choose that organisation in the browser first.`,
  )
  const { credential, me } = await signInByBrowser(
    { ...context, org },
    { scopes: undefined, isOpened: false },
  )
  return { ...credential, orgName: me?.orgName ?? null }
}

export const org: readonly Command[] = [list, choose]
