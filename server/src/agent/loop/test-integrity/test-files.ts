// Classifies files by name: tests, runner configuration, documents, and names that shadow runner modules.

const TEST_FOLDER = /(^|\/)(tests?|specs?|__tests__|__snapshots__|__mocks__|e2e|testdata|fixtures)\//i
const TEST_NAME = new RegExp(
  [
    String.raw`[._-](test|tests|spec|specs|e2e)\.[cm]?[jt]sx?$`,
    String.raw`^(tests?|specs?)\.[cm]?[jt]sx?$`,
    String.raw`^test_[^/]*\.py$`,
    String.raw`_tests?\.(py|go|rb|rs|exs|dart|c|cc|cpp)$`,
    String.raw`^tests?\.(py|rb|php|rs|sh)$`,
    String.raw`(Test|Tests|TestCase|IT|Spec)\.(java|kt|scala|groovy|php|cs|swift)$`,
    String.raw`_spec\.rb$`,
    String.raw`\.(snap|golden|bats|t)$`,
    String.raw`\.feature$`,
  ].join('|'),
)
const CONFIGURATION = new RegExp(
  [
    String.raw`^(jest|vitest|vite|karma|ava|playwright|cypress|wdio|babel|nyc|c8|tap|mocha|jasmine|cucumber)\b[^/]*\.(config|conf|workspace|setup)\.[^/]+$`,
    String.raw`^(jest|vitest|jasmine|mocha|cucumber)([.-]?setup)?\.(json|[cm]?[jt]sx?)$`,
    String.raw`^(setup[._-]?tests?|tests?[._-]?setup)\.[cm]?[jt]sx?$`,
    String.raw`^\.(mocharc|nycrc|c8rc|taprc|babelrc|swcrc|coveragerc|rspec|npmrc|noderc|pytest\.ini|env\.test)[^/]*$`,
    String.raw`^(rollup|webpack|tsup|esbuild|swc)\b[^/]*\.(config|conf)\.[^/]+$`,
    String.raw`^(lerna|nx|turbo|rush|node\.config|jsr)\.json$`,
    String.raw`^\.(yarnrc|pnpmfile|pnp)\b[^/]*$|^\.env(?!\.(example|sample|template|dist)$)[^/]*$|\.mk$|^(pnpm-workspace\.ya?ml|yarn\.config\.cjs)$`,
    String.raw`^(conftest|sitecustomize|usercustomize|noxfile|runtests)\.py$`,
    String.raw`^\.?pytest\.toml$|^(uv|poetry|pdm|unittest|nose)\.(toml|cfg)$|^pip\.conf$`,
    String.raw`^(mvnw|gradlew)(\.(cmd|bat))?$|^(settings|init)\.gradle(\.kts)?$|^gradle\.properties$`,
    String.raw`^junit-platform\.properties$|^testng[^/]*\.xml$|^(org\.junit|org\.testng)[\w.]*$`,
    String.raw`^build\.rs$|^rust-toolchain(\.toml)?$|^go\.(work|env)$|^\.?php\.ini$|^\.user\.ini$`,
    String.raw`^(spec|rails|test)_helper\.(rb|exs)$`,
    String.raw`^(pytest|tox)\.ini$`,
    String.raw`^setup\.cfg$`,
    String.raw`^phpunit[^/]*\.xml[^/]*$`,
    String.raw`^(makefile|gnumakefile|justfile|taskfile\.ya?ml|rakefile|build\.sbt)$`,
    String.raw`^(deno\.jsonc?|bunfig\.toml)$`,
    String.raw`^\.(gitlab-ci|travis|drone)\.yml$`,
    String.raw`^(jenkinsfile|azure-pipelines\.yml)$`,
  ].join('|'),
  'i',
)
const CONFIGURATION_FOLDER =
  /^(\.github|\.circleci|\.husky|\.buildkite|buildSrc)\/|(^|\/)(\.mvn|\.cargo|gradle\/wrapper)\//
/** Folders of installed packages, including test runners. */
const INSTALLED_FOLDER =
  /(^|\/)(node_modules|site-packages|dist-packages|\.?venv|vendor\/(bin|composer|phpunit)|\.yarn)\/|^vendor\//
const DOCUMENT =
  /^(readme|license|licence|changelog|notice|contributing)\b|\.(md|rst|adoc|lock)$|-lock\.(json|yaml)$/i

export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
/** Lower case, without the dot. */
export const extensionOf = (path: string): string =>
  /\.(\w{1,10})$/.exec(fileName(path))?.[1]?.toLowerCase() ?? ''
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
export const isTest = (path: string): boolean => TEST_FOLDER.test(path) || TEST_NAME.test(fileName(path))
export const isConfiguration = (path: string): boolean =>
  CONFIGURATION.test(fileName(path)) || CONFIGURATION_FOLDER.test(path) || INSTALLED_FOLDER.test(path)
/** Documents are not executed and contain no program. */
export const isDocument = (path: string): boolean => DOCUMENT.test(fileName(path))

const SUPPORT =
  /(^|[._-])(helpers?|support|fixtures?|setup|mocks?|stubs?|fakes?|testing|harness|asserts?|assertions?|matchers?|expected|expectations?|golden|factor(y|ies)|test-?utils?|utils?-?tests?)([._-]|$)|test[_-]?(helpers?|utils?)|(^|[a-z])(Helpers?|Support|Fixtures?|Mocks?)\./i
const JUDGE =
  /(^|[._-])(checks?|tests?|specs?|verify|verifier|judge|grader?|assert|ci|e2e|smoke|expected|golden)([._-]|$)|^run[._-]?tests?\b/i
const WRAPPER = /^(manage\.py|artisan|gradlew(\.bat)?|mvnw(\.cmd)?)$/

/** Typical name of a test helper. */
export const isSupportName = (path: string): boolean => SUPPORT.test(fileName(path))
/** Typical name of a script that checks a result. */
export function isJudgeName(path: string): boolean {
  // A folder's entry file is named after the folder.
  const name = fileName(path.replace(/\/(__main__|__init__|index)\.\w+$/, ''))
  return JUDGE.test(name) || WRAPPER.test(name)
}
export const isShellScript = (path: string, text = ''): boolean =>
  /\.(sh|bash|zsh|ksh|fish|bats|mk|ps1|bat|cmd)$/i.test(path) ||
  /^#!.*\b(ba|z|k|da)?sh\b/.test(text.slice(0, 80))

// Modules that test runners are or import. A file with such a name beside the tests would be imported instead.
const PYTHON_MODULES = new Set(
  `unittest pytest _pytest nose nose2 pluggy iniconfig hypothesis mock doctest coverage tox asyncio json re os sys io ast abc
   types typing inspect traceback warnings logging collections functools contextlib importlib pathlib tempfile time signal
   argparse difflib pprint string random math cmath decimal fractions datetime calendar copy copyreg enum dataclasses shutil
   subprocess threading multiprocessing concurrent weakref site pkgutil runpy code codecs token tokenize linecache operator
   itertools heapq bisect hashlib hmac secrets struct pickle numbers statistics textwrap queue select selectors socket ssl
   platform atexit gc builtins fnmatch glob stat posixpath genericpath locale gettext getopt optparse configparser csv
   sqlite3 uuid base64 binascii zlib gzip zipfile tarfile html xml http urllib email unicodedata keyword opcode dis
   sysconfig zipimport encodings reprlib contextvars array ctypes errno faulthandler marshal sched shlex timeit trace
   tracemalloc imp six attr attrs packaging tomllib tomli toml py`.split(/\s+/),
)
const SHADOWING =
  /(^|\/)assert\.[cm]?[jt]s$|(^|\/)(assert|cassert|gtest\/gtest|catch|catch2|cmocka|check|unity)\.(h|hpp)$|(^|\/)(org\/(junit|testng|assertj|hamcrest|mockito)|junit\/framework|kotlin\/test|PHPUnit|Mockery)\//
const RUBY_LIBRARY = /(^|\/)(minitest|rspec|test-unit|test\/unit)(\.rb$|\/)/

/** Whether a new file shadows a module of the test runner. `isPackage` tells for a folder. */
export function shadowsRunner(path: string, isPackage: (folder: string) => boolean): boolean {
  if (RUBY_LIBRARY.test(path) || SHADOWING.test(path)) return true
  const module = /^(.*\/)?([\w-]+)(\.py|\.so|\.pyc|\.pth)$/.exec(
    path.replace(/\/__(init|main)__\.py$/, '.py'),
  )
  if (module === null) return false
  const folder = (module[1] ?? '').replace(/\/$/, '')
  // Inside a package, a module has a qualified name and shadows nothing.
  return PYTHON_MODULES.has(module[2] ?? '') ? folder === '' || !isPackage(folder) : path.endsWith('.pth')
}
