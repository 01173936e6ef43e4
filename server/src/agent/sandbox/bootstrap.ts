// What runs in every sandbox before and after the command itself, as a script of a plain shell. The archive of the files
// comes by standard input. Standard error is ours: it tells us how far we came. The command sees neither.
// `ready` is written by the shell that becomes the command, under all limits: whatever fails before it is our failure.
// `files` asks for the archive. A service that was killed while the sandbox was being built does not send it any more, and
// the sandbox ends; from then on it is bound to the life of the service.

export const PROJECT_FOLDER = '/project'

const SCRIPT = `
command=$1; shift
echo files >&2
tar -x -m -f - -C ${PROJECT_FOLDER} || exit 125
exec </dev/null
cd ${PROJECT_FOLDER} || exit 125
"$@" sh -c 'echo ready >&3; exec sh -c "$1" 3>&-' sh "$command" 3>&2 2>&1
code=$?
stat -f -c 'free %a' ${PROJECT_FOLDER} /tmp >&2
for file in /sys/fs/cgroup/pids.events /sys/fs/cgroup/pids/pids.events; do
  if [ -r $file ]; then sed 's/^/pids /' $file >&2; fi
done
if [ -r /sys/fs/cgroup/memory.events ]; then sed 's/^/memory /' /sys/fs/cgroup/memory.events >&2; fi
exit $code
`

/** The words to start: `before` are those that go in front of the shell of the command. */
export const bootstrapArgs = (command: string, before: readonly string[]): string[] => [
  '/bin/sh',
  '-c',
  SCRIPT,
  'sh',
  command,
  ...before,
]

export type BootstrapNotes = {
  /** False: the command never started, because its files, its limits or its shell could not be set up. */
  readonly isReady: boolean
  readonly isDiskFull: boolean
  readonly isOverProcesses: boolean
  readonly isOverMemory: boolean
}

/** What the script told us. A command that finds out how to write there can only accuse itself. */
export const parseNotes = (notes: string): BootstrapNotes => ({
  isReady: /^ready$/m.test(notes),
  isDiskFull: /^free 0$/m.test(notes),
  isOverProcesses: /^pids max [1-9]/m.test(notes),
  isOverMemory: /^memory oom_kill [1-9]/m.test(notes),
})

/** The notes without our own marks: what went wrong. */
export const extractProblem = (notes: string): string => notes.replaceAll(/^(files|ready)$\n?/gm, '').trim()

/** Programs say it in these words when the disk is full, also when they have tidied up since. */
export const saysDiskFull = (output: string): boolean => /\bENOSPC\b|No space left on device/.test(output)
