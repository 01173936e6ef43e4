// Bundles of the programs that tests start: loading the 1,400 modules of the service takes most of its start.
import { mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { inject } from 'vitest'

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
      await bundle(folder)
    } finally {
      rmdirSync(`${folder}.lock`)
    }
  }
  return join(folder, `${program}.mjs`)
}

async function bundle(folder: string): Promise<void> {
  const build = await rolldown({
    input: PROGRAMS,
    platform: 'node',
    external: (id) => !/^(\.|\/|@cowrie\/|@oxc-project\/)/.test(id),
    plugins: [ownAddress],
    tsconfig: false,
    // Every module is evaluated, as in the source.
    treeshake: false,
  })
  await build.write({
    dir: `${folder}.draft`,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    keepNames: true,
  })
  await build.close()
  renameSync(`${folder}.draft`, folder)
}

/** Modules find files, such as migrations and workers, from the address of their source. */
const ownAddress: Plugin = {
  name: 'own-address',
  transform: {
    filter: { code: /import\.meta\.(url|dirname)/ },
    handler: (code, id) =>
      code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
  },
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
