// How the embedded server is set up: durable, small, and reachable through its private socket alone.
import { PORT } from './socket-folder.ts'

const DEFAULTS: Record<string, string> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '120',
  shared_buffers: '64MB',
  // Bounds how much a start after a crash has to replay.
  max_wal_size: '256MB',
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Refused statements are the caller's business, and their text may hold customers' data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

export function argumentsFor({
  socketDir,
  settings,
}: {
  socketDir: string
  settings: Record<string, string>
}): string[] {
  const fixed = {
    listen_addresses: '',
    port: String(PORT),
    // A list of folders, so one with a comma in its name must be quoted.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    logging_collector: 'off',
    log_destination: 'stderr',
  }
  return Object.entries({ ...DEFAULTS, ...settings, ...fixed }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
}
