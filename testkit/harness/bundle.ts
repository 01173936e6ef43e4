// Bundles of the programs that tests start: loading the 1,400 modules of the service takes most of its start.
import { mkdirSync, rmdirSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inject } from 'vitest'
import { bundlePrograms } from '../../scripts/packages/bundle-service.mjs'

const CHECK_MS = 50
const PROGRAMS = {
  service: '@cowrie/server/src/main.ts',
  chaos: '@cowrie/server/chaos/service-process.ts',
  probe: '@cowrie/testkit/processes/probe-server.ts',
} as const

/** The file of a program. The first worker that needs one bundles all; the others wait. */
export async function bundled(program: keyof typeof PROGRAMS): Promise<string> {
  const folder = join(inject('bundles'), 'programs')
  while (!(await exists(folder))) {
    if (!take(`${folder}.lock`)) {
      await pause(CHECK_MS)
      continue
    }
    try {
      await bundlePrograms(folder, PROGRAMS)
    } finally {
      rmdirSync(`${folder}.lock`)
    }
  }
  return join(folder, `${program}.mjs`)
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

function take(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}
