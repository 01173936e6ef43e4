// The shell script that runs in every sandbox around the command. The archive arrives on standard input; status notes
// go to standard error. The command sees neither. `files` requests the archive: a service that died does not send it,
// and the sandbox ends. `ready` is written under all limits, by the shell that becomes the command: a failure before
// it is ours.

export const PROJECT_FOLDER = '/project'
/** The home folder of runs with dependencies. */
export const HOME_FOLDER = '/tmp/home'
/** Lists of paths, each ended by a zero byte: files that are gone, and folders that may be empty then. */
export const DELETED_FILES = '/.deleted'
export const DELETED_FOLDERS = '/.emptied'

const SCRIPT = `
command=$1; shift
echo files >&2
cd ${PROJECT_FOLDER} || exit 125
if [ -f ${DELETED_FILES} ]; then
  xargs -0 -r rm -f -- <${DELETED_FILES} || exit 125
  xargs -0 -r rmdir -p --ignore-fail-on-non-empty -- <${DELETED_FOLDERS} 2>/dev/null
fi
tar -x -m -f - || exit 125
exec </dev/null
"$@" sh -c 'echo ready >&3; exec sh -c "$1" 3>&-' sh "$command" 3>&2 2>&1
code=$?
stat -f -c 'free %a' ${PROJECT_FOLDER} /tmp >&2
for file in /sys/fs/cgroup/pids.events /sys/fs/cgroup/pids/pids.events; do
  if [ -r $file ]; then sed 's/^/pids /' $file >&2; fi
done
if [ -r /sys/fs/cgroup/memory.events ]; then sed 's/^/memory /' /sys/fs/cgroup/memory.events >&2; fi
exit $code
`

/** The arguments to start it; `before` goes in front of the command's shell. */
export const bootstrapArgs = (command: string, before: readonly string[]): string[] => [
  '/bin/sh',
  '-c',
  SCRIPT,
  'sh',
  command,
  ...before,
]

export type BootstrapNotes = {
  /** False: the command never started, because the setup failed. */
  readonly isReady: boolean
  readonly isDiskFull: boolean
  readonly isOverProcesses: boolean
  readonly isOverMemory: boolean
}

/** Parses the notes. A command that manages to write there can only report its own limits. */
export const parseNotes = (notes: string): BootstrapNotes => ({
  isReady: /^ready$/m.test(notes),
  isDiskFull: /^free 0$/m.test(notes),
  isOverProcesses: /^pids max [1-9]/m.test(notes),
  isOverMemory: /^memory oom_kill [1-9]/m.test(notes),
})

/** The notes without our own marks. */
export const extractProblem = (notes: string): string => notes.replaceAll(/^(files|ready)$\n?/gm, '').trim()

/** Programs print these messages if the disk is full, even if they free space later. */
export const saysDiskFull = (output: string): boolean => /\bENOSPC\b|No space left on device/.test(output)
