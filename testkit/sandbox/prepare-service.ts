// A separate process that installs dependencies, to be killed by the test. The arguments are the data folder, the
// registries and the files of the project.

import type { App } from '@cowrie/server/src/platform/app.ts'
import { parseRegistries } from '@cowrie/server/src/platform/environment/registries.ts'
import { prepareDependencies } from '@cowrie/server/src/sandbox/sandbox.ts'

const [, , dataDir = '', registries = '', files = '{}'] = process.argv
const parts: Partial<App> = {
  config: {
    dataDir,
    sandboxRegistries: parseRegistries(registries),
    sandbox: { local: true, docker: false },
  } as App['config'],
  clock: { now: () => new Date(0) } as App['clock'],
  log: { info() {}, warn() {}, error() {} } as unknown as App['log'],
}
await prepareDependencies(parts as App, {
  orgId: 'org_killed',
  tree: { folder: null, files: new Map(Object.entries(JSON.parse(files))), deleted: new Set() },
  signal: new AbortController().signal,
})
