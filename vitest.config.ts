import { EarlyFirst } from '@cowrie/server/test/sequencer.ts'
import { isSoak } from '@cowrie/testkit/harness/soak.ts'
import { configDefaults, defineConfig } from 'vitest/config'
import { ALONE, IN_BROWSER } from './server/test/alone.ts'

const ALL = ['analysis', 'models', 'server', 'sdk', 'cli', 'web', 'scripts', 'deploy', 'dev', 'testkit'].map(
  (part) => `${part}/**/*.test.ts`,
)

/** What never runs here: campaigns run in the soak alone. */
const exclude = [...configDefaults.exclude, ...(isSoak ? [] : ['**/*.soak.test.ts'])]

const common = {
  pool: 'forks',
  // Patience costs nothing where all is well; on a busy machine a second is not long.
  expect: { poll: { timeout: 20_000 } },
  testTimeout: isSoak ? 900_000 : 180_000,
  hookTimeout: 180_000,
} as const

export default defineConfig({
  test: {
    globalSetup: ['server/test/global-setup.ts'],
    // Six at once fill two cores: browsers, leases and killed processes are waited for. No test relies on being the only one.
    maxWorkers: 6,
    sequence: { sequencer: EarlyFirst },
    projects: [
      { test: { ...common, name: 'alone', include: [...ALONE], exclude } },
      // Projects take their turn by name.
      { test: { ...common, name: 'browser', include: [...IN_BROWSER], exclude, isolate: false } },
      {
        test: {
          ...common,
          name: 'together',
          include: ALL,
          exclude: [...exclude, ...ALONE, ...IN_BROWSER],
          isolate: false,
        },
      },
    ],
  },
})
