// The process: arguments in, exit code out.
import { VERSION } from './version.ts'

const args = process.argv.slice(2)
// A reader that closes early, such as `head`, is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

// Answered without loading the commands.
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V'))
  process.stdout.write(`cowrie ${VERSION}\n`)
else {
  const interrupted = new AbortController()
  // The first Ctrl-C aborts the call, which cancels a running loop. The second kills the process.
  process.once('SIGINT', () => interrupted.abort())
  const { run } = await import('./run.ts')
  process.exitCode = await run({
    args,
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: interrupted.signal,
  })
}
