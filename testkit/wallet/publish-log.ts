import { publishHeads } from '@cowrie/server/src/transparency/publish.ts'
import type { TestServer } from '../harness/harness.ts'

/** Publishes the heads of changed chains now, without the schedule. */
export const publishLog = (server: TestServer): Promise<void> =>
  publishHeads(server.app, new AbortController().signal)
