// cowrie auth token: the key itself, for a program that wants it.
import type { Command } from '../command.ts'
import { keyFor, serviceName } from '../credentials.ts'
import { EXIT } from '../exits.ts'
import { Failure } from '../wrong.ts'

export const token: Command = {
  name: 'auth token',
  summary: 'Print the key that is used, for a program that needs it.',
  args: { min: 0, max: 0 },
  async run({ credentials, env, baseUrl, org, keyFromEnvironment, machine, out }) {
    const kept = keyFromEnvironment
      ? undefined
      : keyFor((await credentials?.readPrivate())?.services.get(serviceName(baseUrl)), org)
    const key = keyFromEnvironment ? env.COWRIE_API_KEY?.trim() : kept?.key
    if (!key)
      throw new Failure('signed_out', `No key is kept for ${baseUrl}.`, {
        exit: EXIT.signIn,
        next: 'Run "cowrie auth login".',
      })
    if (machine.isShown && !out.json) out.warn('Whoever sees this key can spend from your wallet.')
    out.result({ baseUrl, key }, [key])
  },
}
