// cowrie auth token: prints the key for another program.

import { keyFor, serviceName } from '../../auth/credentials.ts'
import type { Command } from '../../command.ts'
import { Failure } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'

export const token: Command = {
  name: 'auth token',
  summary: 'Print the key in use, for another program.',
  args: { min: 0, max: 0 },
  async run({ credentials, env, baseUrl, org, keyFromEnvironment, machine, out }) {
    const kept = keyFromEnvironment
      ? undefined
      : keyFor((await credentials?.readPrivate())?.services.get(serviceName(baseUrl)), org)
    const key = keyFromEnvironment ? env.COWRIE_API_KEY?.trim() : kept?.key
    if (!key)
      throw new Failure('signed_out', `No key is stored for ${baseUrl}.`, {
        exit: EXIT.signIn,
        next: 'Run "cowrie auth login".',
      })
    if (machine.isStdoutTerminal && !out.json) out.warn('Anyone with this key can spend from your wallet.')
    out.result({ baseUrl, key }, [key])
  },
}
