// A separate process that installs dependencies, to be killed by the test. The arguments are the data folder, the
// registries, the files of the project and a command instead of the detected one.
import { prepareDependencies } from '@cowrie/server/src/sandbox/sandbox.ts'
import { createPrepareApp, toTree } from './prepare-world.ts'

const [, , dataDir = '', registries = '', files = '{}', command] = process.argv
const prepared = await prepareDependencies(createPrepareApp(dataDir, registries), {
  orgId: 'org_killed',
  tree: toTree(JSON.parse(files) as Record<string, string>),
  signal: new AbortController().signal,
  ...(command !== undefined && { command }),
})
process.stdout.write(prepared.state)
