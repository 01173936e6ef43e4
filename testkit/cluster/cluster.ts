// A test cluster: real replicas on a separate database, a fake model that can be delayed, and customers.

import { rmSync } from 'node:fs'
import { callAndRecord } from '@cowrie/server/chaos/models/event-log.ts'
import { type Cluster, startCluster } from '@cowrie/server/cluster/cluster.ts'
import { ManualClock } from '@cowrie/server/src/kernel/clock.ts'
import { fromJson, toJson } from '@cowrie/server/src/kernel/json.ts'
import { openDb } from '@cowrie/server/src/platform/db/open-db.ts'
import type { Sql } from '@cowrie/server/src/platform/db/tx.ts'
import type { Message } from '@cowrie/server/src/platform/inference/inference.ts'
import { replyTo } from '../../dev/model/reply.ts'
import { type FakeUpstream, startFakeUpstream } from '../fakes/models/fake-upstream.ts'
import { bundled } from '../harness/bundle.ts'
import { scratchFolder } from '../harness/scratch-folder.ts'
import { GENEROUS_TIMEOUTS, withGenerousTimeouts } from '../harness/timeouts.ts'

export type Reply = { status: number; headers: Headers; text: string; body: Record<string, unknown> }
export type Customer = { readonly bearer: string; readonly email: string }
export type Ask = {
  as?: Customer
  cookie?: string
  bearer?: string
  body?: object
  key?: string
  headers?: Record<string, string>
}

export type TestCluster = {
  readonly cluster: Cluster
  readonly sql: Sql
  readonly upstream: FakeUpstream
  /** Calls the cluster address, or one replica. */
  call(method: string, path: string, ask?: Ask, address?: string): Promise<Reply>
  /** Reads a stream until it ends or the signal aborts. */
  stream(path: string, as: Customer, body: object, options?: StreamOptions): ReturnType<typeof callAndRecord>
  customer(email: string, topupMinor?: number): Promise<Customer>
  /** Blocks model turns whose prompt contains this word until the returned function is called. */
  hold(word: string): () => void
  close(): Promise<void>
}
export type StreamOptions = { key?: string; signal?: AbortSignal; onFrame?: (frame: object) => void }

export const UNLIMITED = {
  SERVICE_RATE_LIMIT_MONEY: '1000000/60',
  SERVICE_RATE_LIMIT_WEBHOOK: '1000000/60',
  SERVICE_RATE_LIMIT_GLOBAL: '1000000/60',
}

/** `url` is the database that the cluster migrates and uses. */
export async function startTestCluster(
  url: string,
  replicas: number,
  variables: Record<string, string> = {},
  program: 'service' | 'chaos' = 'service',
): Promise<TestCluster> {
  const dataDir = scratchFolder()
  const upstream = await startFakeUpstream()
  const held = new Map<string, Promise<void>>()
  upstream.fallback(({ body }) => {
    const messages = body.messages as readonly Message[]
    const prompt = JSON.stringify(messages)
    const waits = [...held].filter(([word]) => prompt.includes(word)).map(([, until]) => until)
    return { pieces: [...waits, replyTo(messages)] }
  })
  const cluster = await startCluster({
    replicas,
    port: 0,
    program: await bundled(program),
    variables: (address) => ({
      ...{ SERVICE_ENV: 'test', SERVICE_DEV_AUTH: 'on', SERVICE_BASE_URL: address },
      ...{ DATABASE_URL: withGenerousTimeouts(url), SERVICE_DATA_DIR: dataDir, SERVICE_DATABASE_POOL: '8' },
      SERVICE_SECRET: 'a secret that only tests know, long enough',
      ...UNLIMITED,
      SERVICE_RATE_LIMIT_AUTH: '1000000/60',
      SERVICE_UPSTREAM_BASE_URL: upstream.url,
      SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
      SERVICE_UPSTREAM_FIRST_BYTE_MS: '600000',
      SERVICE_UPSTREAM_IDLE_MS: '600000',
      ...variables,
    }),
  })
  const owner = openDb(url, { ...GENEROUS_TIMEOUTS, clock: new ManualClock(), max: 2 })

  const call: TestCluster['call'] = async (method, path, ask = {}, address = cluster.address) => {
    const bearer = ask.bearer ?? ask.as?.bearer
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        ...(ask.body && { 'content-type': 'application/json' }),
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(ask.cookie && { cookie: ask.cookie }),
        ...(ask.key && { 'idempotency-key': ask.key }),
        ...ask.headers,
      },
      ...(ask.body && { body: toJson(ask.body) }),
    })
    const { status, headers } = response
    const text = await response.text()
    const isJson = headers.get('content-type')?.startsWith('application/json') ?? false
    return { status, headers, text, body: isJson ? (fromJson(text) as Reply['body']) : {} }
  }

  return {
    cluster,
    sql: owner.direct,
    upstream,
    call,
    stream: (path, { bearer }, body, { key, signal, onFrame } = {}) =>
      callAndRecord(cluster.address, {
        ...{ path, body, bearer, key: key ?? null },
        signal: signal ?? new AbortController().signal,
        onFrame: onFrame ?? (() => undefined),
      }),
    async customer(email, topupMinor = 1_000_000) {
      const signedIn = await call('POST', '/auth/dev-login', { body: { email } })
      const customer = { email, bearer: String(signedIn.body.userId) }
      const topup = { as: customer, key: `first/${email}`, body: { amountMinor: topupMinor } }
      const { reference } = (await call('POST', '/wallet/topup', topup)).body
      const { body } = await call('POST', '/wallet/verify', { as: customer, body: { reference } })
      if (body.status !== 'settled')
        throw new Error(`the top-up failed: ${JSON.stringify(body.code ?? body.status)}`)
      return customer
    },
    hold(word) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(word, promise)
      return () => {
        held.delete(word)
        resolve()
      }
    },
    async close() {
      await owner.close()
      await cluster.close()
      await upstream.close()
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}
