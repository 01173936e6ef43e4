// A separate process that runs a long command in a sandbox, to be killed by the test.
import { runLocally } from '@cowrie/server/src/sandbox/local/local.ts'
import { findLocalTools } from '@cowrie/server/src/sandbox/local/local-tools.ts'

const [, , seconds, bubblewrap] = process.argv
const nap = `sleep ${seconds}`
const tools = await findLocalTools()
if ('missing' in tools) throw new Error(tools.missing)
const signal = new AbortController().signal
const look = await runLocally(tools, { files: new Map(), command: 'ls -l /proc/$$/fd', signal })
process.stdout.write(look.output)
const used = bubblewrap === undefined ? tools : { ...tools, bubblewrap }
await runLocally(used, { files: new Map(), command: `(setsid ${nap} &); ${nap}`, signal })
