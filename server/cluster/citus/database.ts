// The database of a cluster or a campaign: the embedded one, or Citus with workers.
import { join } from 'node:path'
import { startEmbedded } from '../../src/platform/db/embedded/embedded.ts'
import { startCitus } from './nodes.ts'

export type CampaignDatabase = {
  readonly url: string
  /** The address of a superuser, who reads the rows of all organisations. */
  readonly adminUrl: string
  /** The processes of its servers. A server that is killed starts again as another process. */
  pids(): number[]
  stop(): Promise<void>
}

export type CampaignOptions = {
  readonly dir: string
  /** Nodes of Citus beside the coordinator; 0 for the embedded database. */
  readonly workers: number
  readonly settings?: Readonly<Record<string, string>>
  readonly say?: (line: string) => void
}

export async function startCampaignDatabase({
  dir,
  workers,
  settings = {},
  say = () => undefined,
}: CampaignOptions): Promise<CampaignDatabase> {
  if (workers === 0) {
    const server = await startEmbedded({ dir: join(dir, 'postgres'), log: () => undefined, settings })
    return { url: server.url, adminUrl: server.url, pids: () => [server.pid], stop: () => server.stop() }
  }
  const { coordinator, workers: nodes, close } = await startCitus({ dir, workers, settings, say })
  return {
    url: coordinator.url,
    adminUrl: coordinator.adminUrl,
    pids: () => [coordinator, ...nodes].map(({ pid }) => pid),
    stop: close,
  }
}
