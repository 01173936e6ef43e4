import { EarlyFirst } from '@cowrie/server/test/sequencer.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { configDefaults, defineConfig } from 'vitest/config'
import { ALONE } from './server/test/alone.ts'

const ALL = [
  'analysis',
  'models',
  'workspace',
  'server',
  'sdk',
  'cli',
  'web',
  'scripts',
  'deploy',
  'dev',
  'testkit',
].map((part) => `${part}/**/*.test.ts`)

/** Campaigns run only in the soak. */
const exclude = [...configDefaults.exclude, ...(isSoak ? [] : ['**/*.soak.test.ts'])]

const common = {
  pool: 'forks',
  // Node loads the source and strips the types by itself. The module runner of Vitest transforms and compiles each file in each worker,
  // which took half of the CPU time. `vi.mock` does not exist here, and nothing uses it.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // A long limit costs nothing when tests pass, and a busy machine needs more than a second.
  expect: { poll: { timeout: 20_000 } },
  testTimeout: isSoak ? 900_000 : 180_000,
  hookTimeout: 180_000,
} as const

export default defineConfig({
  test: {
    globalSetup: ['server/test/global-setup.ts'],
    // Five workers fill two cores, because tests wait for browsers, leases and killed processes: four used 1.65 of them. Each further
    // one loads the service and a browser again, which takes 5 s of CPU time and 1 GB.
    maxWorkers: 5,
    sequence: { sequencer: EarlyFirst },
    projects: [
      { test: { ...common, name: 'alone', include: [...ALONE], exclude } },
      // Projects run in the order of their names. Tests with a browser are no separate project, because its workers would load the
      // service again.
      {
        test: {
          ...common,
          name: 'together',
          include: ALL,
          exclude: [...exclude, ...ALONE],
          isolate: false,
          // More room for new objects (in MB) saves garbage collections: 6 % of the CPU time of a worker.
          execArgv: ['--max-semi-space-size=32'],
        },
      },
    ],
  },
})
