// The command as a process: arguments in, exit code out.
import { run } from './run.ts'

const interrupted = new AbortController()
// The first Ctrl-C ends the call, which cancels a running loop; the second ends the process the hard way.
process.once('SIGINT', () => interrupted.abort())
// A reader that has seen enough, such as `head`, is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

process.exitCode = await run({
  args: process.argv.slice(2),
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupted.signal,
})
