// The container configuration, with the fewest permissions that Docker can express.

import { bootstrapArgs, PROJECT_FOLDER } from '../bootstrap.ts'
import type { CommandLimits } from '../command-run.ts'
import { ENVIRONMENT } from '../local/bubblewrap.ts'

/** Its value is the time, in milliseconds, after which the container may be removed. */
export const LABEL = 'cowrie-run'

const USER = 65_534
const MEMORY_DISK = `rw,exec,nosuid,nodev,mode=0700,uid=${USER},gid=${USER},nr_inodes=65536`

export type ContainerOptions = {
  readonly image: string
  readonly command: string
  readonly limits: CommandLimits
  readonly filesBytes: number
  readonly keepUntilMs: number
}

export function toContainerConfig({
  image,
  command,
  limits,
  filesBytes,
  keepUntilMs,
}: ContainerOptions): object {
  // If our process dies, the container ends itself.
  const seconds = Math.ceil(limits.wallClockMs / 1_000) + 2
  const [entry, ...words] = bootstrapArgs(command, ['timeout', '-s', 'KILL', String(seconds)])
  // The image knows its own PATH.
  const { PATH: _, ...environment } = ENVIRONMENT
  return {
    Image: image,
    Entrypoint: [entry],
    Cmd: words,
    User: `${USER}:${USER}`,
    WorkingDir: '/',
    Hostname: 'sandbox',
    Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    Labels: { [LABEL]: String(Math.round(keepUntilMs)) },
    NetworkDisabled: true,
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
    HostConfig: toHostConfig(limits, filesBytes),
  }
}

const toHostConfig = (limits: CommandLimits, filesBytes: number): object => ({
  NetworkMode: 'none',
  ReadonlyRootfs: true,
  Privileged: false,
  CapDrop: ['ALL'],
  SecurityOpt: ['no-new-privileges:true'],
  // Owned by the user: if the image has the folder, the image's mode applies.
  Tmpfs: {
    '/tmp': `${MEMORY_DISK},size=${limits.diskBytes}`,
    [PROJECT_FOLDER]: `${MEMORY_DISK},size=${limits.diskBytes + filesBytes}`,
  },
  ShmSize: limits.diskBytes,
  IpcMode: 'private',
  CgroupnsMode: 'private',
  PidsLimit: limits.processes,
  Memory: limits.memoryBytes,
  MemorySwap: limits.memoryBytes,
  NanoCpus: 1_000_000_000,
  Ulimits: [
    { Name: 'nofile', Soft: 1_024, Hard: 1_024 },
    { Name: 'core', Soft: 0, Hard: 0 },
  ],
  Init: true,
  LogConfig: { Type: 'none' },
  RestartPolicy: { Name: 'no' },
})
