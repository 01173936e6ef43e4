// Whether this host allows sandboxes at all; containers often do not. Calls only the tool, so that a bug of ours is
// never mistaken for a missing capability.
import { spawnSync } from 'node:child_process'

const plain = ['bwrap', '--ro-bind', '/', '/', '--unshare-all', 'true']
const [program = '', ...words] =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...plain] : plain

export const hasSandbox: boolean = spawnSync(program, words).status === 0

/** For the tests that replace those that cannot run. */
export function reportNotRun(file: string): void {
  process.stderr.write(
    `\nNOT RUN: the tests of ${file}, because bubblewrap is not installed here or may not make a sandbox (apt-get install bubblewrap)\n`,
  )
}
