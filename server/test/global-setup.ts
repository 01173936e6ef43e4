// Starts one embedded PostgreSQL for the whole run. Each test file uses a copy of the migrated template database.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import type { TestProject } from 'vitest/node'
import { type CitusNode, joinNodes, startCitus } from '../cluster/citus/nodes.ts'
import { withDatabase } from '../src/platform/db/connection-url.ts'
import { startEmbedded } from '../src/platform/db/embedded/embedded.ts'
import { migrate } from '../src/platform/db/migrations/migrate.ts'
import { withPool } from '../src/platform/db/pool.ts'

export const TEMPLATE = 'cowrie_template'
const CACHE = join(import.meta.dirname, '../../node_modules/.cache')

type PlainNode = Pick<CitusNode, 'name' | 'port' | 'url' | 'adminUrl' | 'pid'>

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string
    /** The nodes, when the tests run on Citus. */
    citus: { coordinator: PlainNode; workers: PlainNode[] } | null
    /** The folder of bundled programs. */
    bundles: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  try {
    return await startDatabase(project)
  } catch (error) {
    throw new Error(`The test database did not start, so no test can run. ${(error as Error).message}`, {
      cause: error,
    })
  }
}

async function startDatabase(project: TestProject): Promise<() => Promise<void>> {
  const dir = scratchFolder()
  if (process.env.COWRIE_TEST_CITUS) return startOnCitus(project, dir, Number(process.env.COWRIE_TEST_CITUS))
  // Tests of durability use other databases. Here fsync would only cost time.
  const server = await startEmbedded({
    dir: join(dir, 'db'),
    log: () => undefined,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '300',
      autovacuum: 'off',
      jit: 'off',
      // Most statements run only a few times per connection. By default each of the first five runs makes a plan.
      plan_cache_mode: 'force_generic_plan',
      update_process_title: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      io_method: 'sync',
    },
  })
  await withPool(server.url, (admin) => admin.unsafe(`create database ${TEMPLATE}`))
  await migrate(withDatabase(server.url, TEMPLATE))
  project.provide('databaseUrl', server.url)
  project.provide('citus', null)
  const removeBundles = provideBundles(project)

  return async () => {
    await server.stop()
    rmSync(dir, { recursive: true, force: true })
    removeBundles()
  }
}

function provideBundles(project: TestProject): () => void {
  // Inside the checkout, where bundles find their packages.
  mkdirSync(CACHE, { recursive: true })
  const bundles = scratchFolder(CACHE, 0)
  project.provide('bundles', bundles)
  return () => rmSync(bundles, { recursive: true, force: true })
}

/** Each test file gets another database on a coordinator and its workers. */
async function startOnCitus(
  project: TestProject,
  dir: string,
  workers: number,
): Promise<() => Promise<void>> {
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '300' }
  const citus = await startCitus({ dir, workers, settings })
  const nodes = [citus.coordinator, ...citus.workers]
  for (const { adminUrl } of nodes)
    await withPool(adminUrl, (admin) => admin.unsafe(`create database ${TEMPLATE}`))
  await joinNodes(citus, TEMPLATE)
  await migrate(withDatabase(citus.coordinator.adminUrl, TEMPLATE))
  // A copy of the template on every node is a distributed database too. Citus keeps connections, which prevent copies.
  for (const { adminUrl } of nodes)
    await withPool(adminUrl, async (admin) => {
      await admin.unsafe(`alter database ${TEMPLATE} allow_connections false`)
      await admin.rows`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${TEMPLATE}`
    })
  // Tests read and damage the rows of all organisations, which only a superuser can.
  const plain = ({ name, port, adminUrl, pid }: CitusNode) => ({ name, port, url: adminUrl, adminUrl, pid })
  project.provide('databaseUrl', citus.coordinator.adminUrl)
  project.provide('citus', { coordinator: plain(citus.coordinator), workers: citus.workers.map(plain) })
  const removeBundles = provideBundles(project)
  return async () => {
    await citus.close()
    rmSync(dir, { recursive: true, force: true })
    removeBundles()
  }
}
