// Bundles the service and the tasks of its worker threads, so that a start loads a few files instead of 1,400. Packages are not bundled.
// `node scripts/packages/bundle-service.mjs <folder>` writes `main.mjs` and its parts into a new folder, and prints the files that it read.
import { randomBytes } from 'node:crypto'
import { renameSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * Bundles programs by name into `<name>.mjs` files of a new folder, and returns the files that were read. The folder stays as it is when
 * another process was faster.
 */
export async function bundlePrograms(folder, programs) {
  const draft = `${folder}.${randomBytes(6).toString('hex')}`
  const build = await rolldown({
    input: programs,
    platform: 'node',
    external: (id) => !/^(\.|\/|@cowrie\/|@oxc-project\/)/.test(id),
    plugins: [threadTasks, ownAddress(folder)],
    tsconfig: false,
    // Every module is evaluated, as in the source.
    treeshake: false,
  })
  await build.write({
    dir: draft,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    keepNames: true,
    // One other character doubles the memory of a whole file, because the engine keeps its text.
    charset: 'ascii',
    comments: { jsdoc: false },
  })
  const files = await build.watchFiles
  await build.close()
  try {
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true })
    if (!['EEXIST', 'ENOTEMPTY'].includes(error.code)) throw error
  }
  return files
}

const TASK_ADDRESS = /new URL\(\s*'(\.[^']*?(?:-task|\/thread-main)\.ts)',\s*import\.meta\.url,?\s*\)/g

/** The files that worker threads load become entries of the bundle, and their addresses point to them. */
const threadTasks = {
  name: 'thread-tasks',
  transform: {
    filter: { code: TASK_ADDRESS },
    handler(code, importer) {
      return code.replaceAll(TASK_ADDRESS, (_, path) => {
        const reference = this.emitFile({ type: 'chunk', id: resolve(dirname(importer), path) })
        return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`
      })
    },
  },
}

/** Modules find files, such as migrations and tasks, from the address of their source, relative to the bundle. */
const ownAddress = (folder) => ({
  name: 'own-address',
  transform: {
    filter: { code: /import\.meta\.(url|dirname)/ },
    handler: (code, id) => {
      const source = JSON.stringify(relative(folder, id).replaceAll('\\', '/'))
      const address = `new URL(${source}, import.meta.url).href`
      return code
        .replaceAll('import.meta.url', address)
        .replaceAll(
          'import.meta.dirname',
          `process.getBuiltinModule('path').dirname(process.getBuiltinModule('url').fileURLToPath(${address}))`,
        )
    },
  },
})

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('Usage: node scripts/packages/bundle-service.mjs <folder>')
  const main = join(ROOT, 'server', 'src', 'main.ts')
  process.stdout.write(JSON.stringify(await bundlePrograms(resolve(folder), { main })))
}
