// Runs the calls of its arguments in a toolbox, so that a test can kill it: <root> <state folder> <calls as JSON>.
import { dirname } from 'node:path'
import type { ToolCall } from '../src/session/types.ts'
import { openToolbox } from '../src/tools/open-toolbox.ts'
import { environmentOf } from './work-folder.ts'

const [root = '', folder = '', calls = '[]'] = process.argv.slice(2)
const home = dirname(root)
const box = await openToolbox({
  root,
  folder,
  env: environmentOf(home),
  home,
  isDataSaver: false,
  groups: [],
})
process.stdout.write('opened\n')
for (const call of JSON.parse(calls) as ToolCall[]) {
  const { ok } = await box.run(call, { signal: new AbortController().signal })
  process.stdout.write(`${call.callId} ${ok}\n`)
}
