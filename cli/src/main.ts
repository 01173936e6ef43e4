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
  // The first Ctrl-C, or the end of a CI job, aborts the call, which cancels a running loop. The second kills the process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  const { stdout, stderr, env } = process
  // Without `await`, because the packed command is a script: only the compiled code of scripts can be cached.
  void import('./run.ts')
    .then(({ run }) => run({ args, env, stdout, stderr, signal: interrupted.signal }))
    .then((code) => {
      process.exitCode = code
    })
}
