// A test server with a fake model provider, for tests of the requests between them.

import type { App } from '@cowrie/server/src/platform/app.ts'
import { callModel } from '@cowrie/server/src/platform/inference/call-model.ts'
import type { ModelAnswer, ModelRequest } from '@cowrie/server/src/platform/inference/model-request.ts'
import { type FakeUpstream, startFakeUpstream } from '../fakes/models/fake-upstream.ts'
import { startTestServer, type TestServer } from '../harness/harness.ts'

/** A key that tests search for in logs and replies. */
export const CANARY_KEY = 'canary-4f1d9e27-never-to-be-seen'

export type UpstreamTest = {
  readonly server: TestServer
  readonly upstream: FakeUpstream
  ask(
    question?: Partial<ModelRequest>,
    timeouts?: Partial<App['config']['upstreamTimeouts']>,
  ): Promise<ModelAnswer>
  close(): Promise<void>
}

export async function startUpstreamTest(): Promise<UpstreamTest> {
  const [server, upstream] = await Promise.all([startTestServer(), startFakeUpstream()])
  return {
    server,
    upstream,
    ask: (question, timeouts) =>
      callModel(withTimeouts(server.app, timeouts), {
        target: { baseUrl: upstream.url, apiKey: CANARY_KEY },
        model: 'small-1',
        messages: [{ role: 'user', content: 'Say hello, please.' }],
        maxOutputTokens: 1_000,
        signal: new AbortController().signal,
        ...question,
      }),
    async close() {
      await Promise.all([server.close(), upstream.close()])
    },
  }
}

export const withTimeouts = (app: App, timeouts: Partial<App['config']['upstreamTimeouts']> = {}): App => ({
  ...app,
  config: { ...app.config, upstreamTimeouts: { ...app.config.upstreamTimeouts, ...timeouts } },
})
