// Tells copied and compiled files in folders named `vendor`, `dist` or `build` from code that was written there by hand: by their
// content, by the manifest of a copied package, and by the source that a compiled file has in the project.

import type { ScannedFile } from '../report/finding.ts'
import { isTestCode, languageOf, PACKAGES } from './skipped-files.ts'

const FOLDER = /(?:^|\/)(?:vendor|dist|build)\//
const VENDOR = /(?:^|\/)vendor\//
/** `vendor/github.com/a/b/`: modules of Go have scripts and pages too. */
const GO_VENDOR = /(?:^|\/)vendor\/[^/]+\.[^/]+\/[^/]+\//
/** Their name says what they are. */
const NAMED = /\.min\.[cm]?js$|(?:^|\/)(?:jquery|bootstrap)[-.\d]*\.js$|\.map$/
const BUILT = new RegExp(`${FOLDER.source}|${NAMED.source}`)

/**
 * The paths of copied and compiled files. `isPartial`: only changed files are given, so that a compiled file may have a
 * source elsewhere.
 */
export function findBuiltFiles(files: readonly ScannedFile[], isPartial = false): ReadonlySet<string> {
  const candidates = files.filter(({ path }) => BUILT.test(path) && !hasOwnLayout(path))
  if (candidates.length === 0) return new Set()
  const isCompiled = !isPartial && isCompiledOnly(files)
  const packages = copiedPackages(files)
  const sources = new Set(files.filter(({ path }) => isSource(path)).map(({ path }) => stemOf(path)))
  const alone = candidates.filter(({ path, content }) => {
    if (NAMED.test(path) || GO_VENDOR.test(path) || packages.some((folder) => path.startsWith(folder)))
      return true
    if (!VENDOR.test(path) && languageOf(path) === 'javascript' && sources.has(stemOf(path))) return true
    return isBuiltText(content, VENDOR.test(path))
  })
  const built = new Set(alone.map(({ path }) => path))
  const outputs = outputFolders(candidates, built)
  return new Set(
    candidates.flatMap(({ path }) => {
      if (isCompiled && COMPILED.test(path) && !NAMED.test(path)) return []
      return built.has(path) || outputs.has(outputFolderOf(path)) ? [path] : []
    }),
  )
}

/** `packages/a/dist/` */
const outputFolderOf = (path: string): string => /^(?:.*?\/)?(?:dist|build)\//.exec(path)?.[0] ?? ''

/** Folders that a compiler filled: a third of their scripts shows it, so the others come from it too. */
function outputFolders(candidates: readonly ScannedFile[], built: ReadonlySet<string>): ReadonlySet<string> {
  const scripts = candidates.filter(
    ({ path }) => languageOf(path) === 'javascript' && !VENDOR.test(path) && !/\.d\.[cm]?ts$/.test(path),
  )
  const groups = Map.groupBy(scripts, ({ path }) => outputFolderOf(path))
  const filled = [...groups].filter(([folder, own]) => {
    const marked = own.filter(({ path }) => built.has(path) || HASHED.test(path)).length
    return folder !== '' && marked * OUTPUT_SHARE_MIN >= own.length
  })
  return new Set(filled.map(([folder]) => folder))
}
const OUTPUT_SHARE_MIN = 3
/** `chunk-2QFFX2DS.js`: bundlers add a hash of the content. */
const HASHED = /[-.](?=[\w]*\d)[A-Za-z0-9_]{8,20}\.[cm]?js$/

/** Package managers of these languages have their own layouts, or none. */
const hasOwnLayout = (path: string): boolean => !['javascript', null].includes(languageOf(path))

/** Folders in `vendor` with a manifest or a licence: `public/vendor/chart/package.json`. */
function copiedPackages(files: readonly ScannedFile[]): string[] {
  const folders = files.flatMap(({ path }) => {
    const folder = /^(?:.*\/)?vendor\/(?:@[^/]+\/)?[^/]+\//.exec(path)?.[0]
    return folder && MANIFEST.test(path.slice(folder.length)) ? [folder] : []
  })
  return [...new Set(folders)]
}
const MANIFEST =
  /^(?:package\.json|bower\.json|component\.json|composer\.json|[^/]+\.(?:gemspec|nuspec|podspec)|(?:licen[cs]e|copying)(?:\.\w+)?)$/i

const isSource = (path: string): boolean =>
  languageOf(path) === 'javascript' && !BUILT.test(path) && !PACKAGES.test(path)

/** `packages/a/dist/cjs/b.js` and `packages/a/src/b.ts` are both `packages/a/b`. */
const stemOf = (path: string): string =>
  path
    .replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '')
    .split('/')
    .filter((part) => !LAYERS.has(part))
    .join('/')
const LAYERS = new Set([
  'src',
  'source',
  'lib',
  'dist',
  'build',
  'cjs',
  'esm',
  'es',
  'umd',
  'main',
  'module',
  'out',
])

const HEAD_LENGTH = 1_500
const TAIL_LENGTH = 500
/** Names of compilers and bundlers, and the header of files for all kinds of modules. */
const MARKS =
  /__webpack_|webpackBootstrap|webpackChunk|webpackJsonp|__esModule|__toESM\b|__toCommonJS\b|__commonJS\b|__importDefault|__importStar|__awaiter\b|__decorate\b|__defProp\b|_interopRequire|_classCallCheck|_createClass\b|_regeneratorRuntime|exports\.\w+ = void 0|parcelRequire|System\.register\(|define\.amd|typeof exports ?===? ?["']object|\bgoog\.provide\(|^\(function\(modules\)/
/** The end of a bundle: one list of all exports, or the address of its source map. */
const END_MARKS = /[#@] sourceMappingURL=|\nexport ?\{[^{}]*\};?\s*$/
/** The header of a published file. */
const BANNER =
  /\/\*!|@licen[cs]e|@preserve|\b(?:mit|bsd|apache|gpl|mpl)\b[^\n]{0,20}licen[cs]e|licen[cs]ed? under|\bcopyright\b|\(c\)|\bv(?:ersion)?:? ?\d+\.\d+/i

function isBuiltText(content: string, isVendor: boolean): boolean {
  const head = content.slice(0, HEAD_LENGTH)
  const tail = content.slice(-TAIL_LENGTH)
  return MARKS.test(head) || END_MARKS.test(tail) || (isVendor && BANNER.test(head))
}

/** Whether the JavaScript of a project is published only as compiled files. A few wrappers do not count as sources. */
function isCompiledOnly(files: readonly ScannedFile[]): boolean {
  let [compiled, written] = [0, 0]
  for (const { path, content } of files) {
    if (languageOf(path) !== 'javascript' || PACKAGES.test(path) || NOT_SOURCE.test(path)) continue
    if (COMPILED.test(path)) compiled += content.length
    else if (!BUILT.test(path) && !isTestCode(path)) written += content.length
  }
  return written * COMPILED_SHARE_MIN < compiled
}

const COMPILED_SHARE_MIN = 4
const COMPILED = /^(?:[^/]+\/){0,3}(?:dist|build)\/(?!.*\.min\.|(?:.*\/)?vendor\/)/
const NOT_SOURCE =
  /\.min\.|\.d\.[cm]?ts$|(?:^|\/)[^/]*\.config\.[cm]?[jt]s$|(?:^|\/)(?:gulpfile|gruntfile)\.js$/i
