// Bundles the command line into two files, so that a start loads little. The first has the modules that a session needs to show its
// prompt, the second all others. Each module is in one of them only.
import { isAbsolute, relative } from 'node:path'
import { build } from 'esbuild'
import { ROOT } from '../install.mjs'

const MAIN = 'cli/src/main.ts'
/** These and everything that they import statically are in the first file. */
const FIRST = [MAIN, 'cli/src/run.ts', 'cli/src/commands/session/session.ts', 'cli/src/terminal/screen.ts']

/**
 * The text of both files and the names of the bundled modules. `cli/bin/packed.cjs` calls the files with `__builtin`, which loads a
 * module of Node.js, and with `__first` or `__later`, which load a module of the other file.
 */
export async function bundleCli() {
  const whole = await bundle(`import ${JSON.stringify(`./${MAIN}`)}`, [lazyBuiltins])
  const { inputs } = whole.metafile
  const first = staticClosure(inputs, FIRST)
  const crossing = (from) =>
    Object.entries(inputs)
      .filter(([path]) => first.has(path) === from)
      .flatMap(([, { imports }]) => imports.map(({ path }) => path))
      .filter((path) => inputs[path] && !path.startsWith('builtin:') && first.has(path) !== from)
  const start = await bundle(
    `import ${JSON.stringify(`./${MAIN}`)}\n${tableOf(crossing(false))}`,
    [lazyBuiltins, elsewhere('__later', (path) => !first.has(path))],
    false,
  )
  const rest = await bundle(tableOf(crossing(true)), [
    lazyBuiltins,
    elsewhere('__first', (path) => first.has(path)),
  ])
  return { start: start.text, rest: rest.text, inputs: Object.keys(inputs) }
}

/** The modules that the other file needs. Each runs when it is first asked for. */
const tableOf = (paths) =>
  `export const modules = {${[...new Set(paths)]
    .toSorted()
    .map((path) => `${JSON.stringify(path)}: () => require(${JSON.stringify(`./${path}`)})`)
    .join(',\n')}}`

function staticClosure(inputs, entries) {
  const found = new Set()
  const queue = [...entries]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path)) continue
    found.add(path)
    if (!inputs[path]) throw new Error(`${path} is not part of the command line.`)
    for (const { kind, path: imported } of inputs[path].imports)
      if (kind !== 'dynamic-import' && inputs[imported]) queue.push(imported)
  }
  return found
}

async function bundle(contents, plugins, keepNames = true) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    stdin: { contents, resolveDir: ROOT, sourcefile: 'bundle.js' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    // For stack traces of unexpected errors. Each name costs time at the start.
    keepNames,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    plugins,
  })
  return { metafile, text: asAscii(outputFiles[0].text) }
}

/** The bundler leaves letters in regular expressions, and one letter that is not ASCII doubles the memory of a program. */
const asAscii = (program) =>
  program.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Takes modules from the other file. */
const elsewhere = (load, isElsewhere) => ({
  name: load,
  setup(bundle) {
    bundle.onResolve({ filter: /.*/ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === load || path.startsWith('node:')) return null
      const found = await bundle.resolve(path, { importer, resolveDir, kind, pluginData: load })
      const name = isAbsolute(found.path) ? relative(ROOT, found.path) : ''
      return isElsewhere(name) && name !== '' ? { path: name, namespace: load } : null
    })
    bundle.onLoad({ filter: /.*/, namespace: load }, ({ path }) => ({
      contents: `module.exports = ${load}(${JSON.stringify(path)})`,
    }))
  },
})

/**
 * Loads a module of Node.js when something of it is used. An import in the file would load all of them at the start, and HTTP with
 * TLS takes longer than the rest of the start. Unused names are removed by the bundler.
 */
const lazyBuiltins = {
  name: 'lazy-builtins',
  setup(bundle) {
    bundle.onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'builtin', sideEffects: false }))
    bundle.onLoad({ filter: /.*/, namespace: 'builtin' }, async ({ path }) => {
      const module = await import(path)
      const names = Object.keys(module).filter((name) => /^[a-z_$]\w*$/i.test(name) && name !== 'default')
      const load = `__builtin(${JSON.stringify(path)})`
      const exports = names.map((name) =>
        isPlainFunction(name, module[name])
          ? `export function ${name}(...values) { return ${load}.${name}(...values) }`
          : `const _${name} = /* @__PURE__ */ (() => ${load}.${name})(); export { _${name} as ${name} }`,
      )
      return {
        contents: `const builtin = /* @__PURE__ */ ${load}\nexport default builtin\n${exports.join('\n')}`,
      }
    })
  },
}

/** A function that is only called: no class, and without properties such as the one that `promisify` reads. */
const isPlainFunction = (name, value) =>
  typeof value === 'function' &&
  /^[a-z]/.test(name) &&
  Reflect.ownKeys(value).every((key) => ['length', 'name', 'prototype', 'arguments', 'caller'].includes(key))
