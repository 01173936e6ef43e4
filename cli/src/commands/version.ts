// cowrie version: which build is this, and which one answers?
import { API_VERSION } from '@cowrie/sdk'
import type { Command } from '../command.ts'
import { VERSION } from '../version.ts'

export const version: Command = {
  name: 'version',
  summary: 'Say which version this is and which one the service runs; "cowrie --version" asks nobody.',
  args: { min: 0, max: 0 },
  isKeyless: true,
  async run({ client, baseUrl, out, signal }) {
    // The own version needs nobody, so it is said even when the service does not answer.
    if (!out.json) out.raw(`cowrie ${VERSION}, API ${API_VERSION}\n`)
    const service = await client.system.version({ signal })
    const { version, commit, apiVersion, environment } = service
    out.result({ cli: VERSION, apiVersion: API_VERSION, service }, [
      `service ${version}+${commit}, API ${apiVersion}, ${environment}, at ${baseUrl}`,
    ])
    if (apiVersion !== API_VERSION)
      out.note(
        `The service speaks API ${apiVersion} and this command API ${API_VERSION}: use a matching version.`,
      )
  },
}
