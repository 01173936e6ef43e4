// cowrie version: the versions of the CLI and the service.
import { API_VERSION } from '@cowrie/sdk'
import type { Command } from '../../command.ts'
import { VERSION } from '../../version.ts'

export const version: Command = {
  name: 'version',
  summary: 'Show the versions of this CLI and of the service. "cowrie --version" works offline.',
  args: { min: 0, max: 0 },
  isKeyless: true,
  async run({ client, baseUrl, out, signal }) {
    // Print our own version first: the service may not answer.
    if (!out.json) out.raw(`cowrie ${VERSION}, API ${API_VERSION}\n`)
    const service = await client.system.version({ signal })
    const { version, commit, apiVersion, environment } = service
    out.result({ cli: VERSION, apiVersion: API_VERSION, service }, [
      `service ${version}+${commit}, API ${apiVersion}, ${environment}, at ${baseUrl}`,
    ])
    if (apiVersion !== API_VERSION)
      out.note(
        `The service has API ${apiVersion} and this CLI has API ${API_VERSION}. Use matching versions.`,
      )
  },
}
