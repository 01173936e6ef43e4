// The process: arguments in, exit code out.
import { run } from './run.ts'

const interrupted = new AbortController()
// The first Ctrl-C aborts the call, which cancels a running loop. The second kills the process.
process.once('SIGINT', () => interrupted.abort())
// A reader that closes early, such as `head`, is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

process.exitCode = await run({
  args: process.argv.slice(2),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupted.signal,
})
