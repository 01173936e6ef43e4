// cowrie health: is the service alive and ready?
import { CowrieError } from '@cowrie/sdk'
import type { Command } from '../../command.ts'

export const health: Command = {
  name: 'health',
  summary: 'Check whether the service is alive and ready.',
  args: { min: 0, max: 0 },
  isKeyless: true,
  async run({ client, baseUrl, out, signal }) {
    // No retries: the user asks for the current state.
    const options = { signal, retries: 0 }
    await client.system.health(options)
    const unready = await client.system.ready(options).then(
      () => null,
      (error: unknown) => error,
    )
    if (unready instanceof CowrieError && unready.status !== 0 && !out.json)
      out.note(`${baseUrl} is alive, but not ready.`)
    if (unready) throw unready
    out.result({ ok: true, ready: true, baseUrl }, [`${baseUrl} is alive and ready.`])
  },
}
