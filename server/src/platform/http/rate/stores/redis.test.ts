import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { testLeaseStore } from '@cowrie/testkit/platform/rate-store-contract.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ManualClock } from '../../../../kernel/clock.ts'
import type { LeaseStore } from '../lease-store.ts'
import { createRedisStore } from './redis.ts'

const isInstalled = spawnSync('redis-server', ['--version']).status === 0

if (isInstalled) describe('the store in Redis', testRedisStore)
else
  test('the store in Redis is not tested on this machine', () => {
    console.warn('NOT RUN: all tests of rate/store-redis.ts, because redis-server is not installed here')
  })

function testRedisStore(): void {
  const clock = new ManualClock()
  const stores: LeaseStore[] = []
  let server: ChildProcess
  let url: string

  const openStore = () => {
    const store = createRedisStore(url, clock)
    stores.push(store)
    return store
  }

  async function startServer(): Promise<void> {
    const port = await findFreePort()
    url = `redis://127.0.0.1:${port}/0`
    const options = { port: String(port), bind: '127.0.0.1', save: '', appendonly: 'no' }
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
    server = spawn('redis-server', words)
    await printed(server, 'Ready to accept connections')
  }

  beforeAll(async () => {
    // Another process may have taken the port.
    await startServer().catch(startServer).catch(startServer)
  })
  afterAll(async () => {
    for (const store of stores) await store.close()
    if (server.exitCode === null && server.signalCode === null) {
      server.kill()
      await once(server, 'exit')
    }
  })

  testLeaseStore(() => ({ store: openStore(), clock }))

  test('fails immediately and stays usable when its server is gone', async () => {
    const store = openStore()
    const ask = { bucket: 'auth', address: '198.18.9.9', want: 1, limit: { requests: 5, seconds: 60 } }
    expect(await store.take([ask])).toMatchObject([{ granted: 1 }])
    server.kill()
    await once(server, 'exit')
    await expect(store.take([ask])).rejects.toThrow()
    await expect(store.take([ask])).rejects.toThrow()
    await store.close()
  })
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return address.port
}

function printed(child: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = ''
    child.stdout?.on('data', (chunk) => {
      seen += chunk
      if (seen.includes(words)) resolve()
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}: ${seen}`)))
  })
}
