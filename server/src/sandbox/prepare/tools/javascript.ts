// npm, pnpm and yarn. Everything they install is in the node_modules folders of the project.
import { HOME_FOLDER } from '../../bootstrap.ts'
import { isHttp, PROGRAM_FOLDER, PROXY, type PrepareTool, type ProjectFolder } from './tool.ts'

// Scripts of packages read some of these: patch-package, Prisma, node-gyp, Nx.
const MANIFESTS =
  /(^|\/)(package\.json|\.npmrc|\.yarnrc(\.yml)?|pnpm-workspace\.yaml|\.pnpmfile\.[cm]?js|(nx|lerna|turbo)\.json|schema\.prisma|binding\.gyp|\.pnp\.[\w.]+)$|(^|\/)(patches|\.yarn)\/|\.tgz$/
const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'workspaces']
const OWN_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepublish', 'prepare']

async function readManifest(project: ProjectFolder): Promise<object | null> {
  const manifest: unknown = JSON.parse((await project.read('package.json')) ?? 'null')
  return typeof manifest === 'object' ? manifest : null
}

async function namesPackages(project: ProjectFolder): Promise<boolean> {
  try {
    const manifest = await readManifest(project)
    return manifest !== null && DEPENDENCIES.some((key) => isFilled(manifest, key))
  } catch {
    // The tool reports the bad file.
    return true
  }
}

function isFilled(manifest: object, key: string): boolean {
  const value: unknown = Reflect.get(manifest, key)
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

/** Whether the project itself has scripts for the installation. They find their files empty, so they may fail. */
async function hasOwnScripts(project: ProjectFolder): Promise<boolean> {
  const manifest = await readManifest(project).catch(() => null)
  const scripts: unknown = manifest === null ? null : Reflect.get(manifest, 'scripts')
  return typeof scripts === 'object' && scripts !== null && OWN_SCRIPTS.some((name) => name in scripts)
}

/** Other tools than npm copy a folder that is named as a dependency. */
const copiesFolders = async (project: ProjectFolder): Promise<boolean> =>
  /"file:(?![^"]*\.tgz")/.test((await project.read('package.json')) ?? '')

const QUIET = {
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
}
const npmOnline = (url: string | null) => ({
  npm_config_cache: `${HOME_FOLDER}/.npm`,
  npm_config_proxy: PROXY,
  npm_config_https_proxy: PROXY,
  npm_config_noproxy: '',
  npm_config_fetch_retries: '2',
  npm_config_fetch_retry_mintimeout: '500',
  npm_config_fetch_retry_factor: '2',
  npm_config_fetch_retry_maxtimeout: '3000',
  npm_config_fetch_timeout: '60000',
  ...(url !== null && { npm_config_registry: `${url}/` }),
})
const npmOffline = { npm_config_offline: 'true', npm_config_cache: '/tmp/.npm' }

/** The version that the project names, in a form that is safe in a command. */
async function namedVersion(project: ProjectFolder, tool: string): Promise<string | null> {
  const manifest = await readManifest(project).catch(() => null)
  const named: unknown = manifest === null ? null : Reflect.get(manifest, 'packageManager')
  const [, name, version = null] = /^(\w+)@(\d[\w.-]{0,40})(\+\w+\.\w+)?$/.exec(String(named)) ?? []
  return name === tool ? version : null
}

/** Uses the tool of the host, unless the project names a version: then npm installs that one. */
async function withManager(
  project: ProjectFolder,
  { tool, packageName, major }: { tool: string; packageName: string; major: number },
  install: string,
): Promise<string> {
  const version = await namedVersion(project, tool)
  const fetch = `
  npm install --prefix ${HOME_FOLDER}/.manager --no-save --no-package-lock --ignore-scripts \
    ${packageName}@${version ?? major} >/dev/null || exit
  mkdir -p ${PROGRAM_FOLDER}
  ln -sf ../.manager/node_modules/.bin/${tool} ${PROGRAM_FOLDER}/${tool}`
  return `${version === null ? `if ! command -v ${tool} >/dev/null; then ${fetch}\nfi` : fetch}\n${install}`
}
const MANAGER_OUTPUTS = ['bin', '.manager']
// The tool of the host may be a link to corepack.
const COREPACK = { COREPACK_HOME: `${HOME_FOLDER}/.manager/corepack`, COREPACK_ENABLE_STRICT: '0' }
const corepackOnline = (url: string | null) => ({
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  ...(url !== null && { COREPACK_NPM_REGISTRY: url, COREPACK_INTEGRITY_KEYS: '0' }),
})

// If the lockfile is older than the manifest, as after an edit of the manifest, a plain install follows.
const NPM_INSTALL = `
install() {
  npm "$@" >"$TMPDIR/npm.log" 2>&1
  code=$?
  cat "$TMPDIR/npm.log"
  return $code
}
says() { grep -Eq "$1" "$TMPDIR/npm.log"; }`
const CI = `{ install ci || { says EUSAGE && install install --no-package-lock; }; }`
const INSTALL = 'install install --no-package-lock'

async function npmCommand(project: ProjectFolder): Promise<string> {
  const { names } = project
  const isLocked = names.has('package-lock.json') || names.has('npm-shrinkwrap.json')
  const first = `${NPM_INSTALL}\n${isLocked ? CI : INSTALL}`
  if (!(await hasOwnScripts(project))) return first
  // npm names the folder whose script failed. npm rebuild runs the scripts of packages only.
  return `${first} ||
  { says "path $PWD$" && install install --no-package-lock --ignore-scripts && install rebuild; }`
}

const npm: PrepareTool = {
  name: 'npm',
  kind: 'javascript',
  lockfiles: /^(package-lock\.json|npm-shrinkwrap\.json|package\.json)$/,
  manifests: MANIFESTS,
  programs: ['npm'],
  isNeeded: namesPackages,
  command: npmCommand,
  environment: QUIET,
  online: npmOnline,
  offline: npmOffline,
  projectOutputs: ['node_modules'],
  homeOutputs: [],
}

/** Since version 11, pnpm has a separate prefix. */
const withPnpmNames = (variables: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => [
      [name, value],
      [name.replace(/^npm_/, 'pnpm_'), value],
    ]),
  )

const pnpm: PrepareTool = {
  name: 'pnpm',
  kind: 'javascript',
  lockfiles: /^pnpm-lock\.yaml$/,
  manifests: MANIFESTS,
  programs: ['pnpm', 'npm'],
  isNeeded: namesPackages,
  needsSources: copiesFolders,
  command: async (project) => {
    const format = /^lockfileVersion: '?(\d+)/m.exec((await project.read('pnpm-lock.yaml')) ?? '')?.[1]
    const major = format === '5' ? 7 : format === '6' ? 8 : 10
    const install = 'pnpm install --frozen-lockfile || pnpm install --no-frozen-lockfile'
    const plain = 'pnpm install --no-frozen-lockfile --ignore-scripts && pnpm rebuild'
    return withManager(
      project,
      { tool: 'pnpm', packageName: 'pnpm', major },
      (await hasOwnScripts(project)) ? `${install} || { ${plain}; }` : install,
    )
  },
  environment: {
    ...QUIET,
    ...COREPACK,
    ...withPnpmNames({
      npm_config_manage_package_manager_versions: 'false',
      npm_config_pm_on_fail: 'ignore',
      npm_config_verify_deps_before_run: 'false',
      // Packages whose scripts the project does not allow are installed without running them.
      npm_config_strict_dep_builds: 'false',
    }),
  },
  online: (url) => ({
    ...corepackOnline(url),
    ...withPnpmNames({
      ...npmOnline(url),
      npm_config_store_dir: `${HOME_FOLDER}/.pnpm-store`,
      // The store is not part of the layer, so nothing may be a link into it.
      npm_config_package_import_method: 'copy',
    }),
  }),
  offline: { ...withPnpmNames(npmOffline), COREPACK_ENABLE_NETWORK: '0' },
  projectOutputs: ['node_modules'],
  homeOutputs: MANAGER_OUTPUTS,
}

const hostOf = (url: string): string => new URL(url).hostname

/** Lockfiles of version 1 have whole addresses. */
const USE_MIRROR = `
if [ -n "$YARN_REGISTRY" ]; then
  sed -i -E "s#https://registry\\.(yarnpkg\\.com|npmjs\\.org)/#$YARN_REGISTRY/#" yarn.lock
fi
`

async function yarnCommand(project: ProjectFolder): Promise<string> {
  // Since version 2, lockfiles begin with their own version.
  const lockfile = (await project.read('yarn.lock')) ?? ''
  const format = /^__metadata:\s+version: (\d+)/m.exec(lockfile)?.[1]
  const [install, plain] =
    format === undefined
      ? [
          `${USE_MIRROR}yarn install --frozen-lockfile --non-interactive || yarn install --non-interactive`,
          'yarn install --non-interactive --ignore-scripts && npm rebuild',
        ]
      : ['yarn install --immutable || yarn install --no-immutable', 'yarn install --mode=skip-build']
  const manager =
    format === undefined
      ? { tool: 'yarn', packageName: 'yarn', major: 1 }
      : { tool: 'yarn', packageName: '@yarnpkg/cli-dist', major: Number(format) < 8 ? 3 : 4 }
  return withManager(
    project,
    manager,
    (await hasOwnScripts(project)) ? `${install} || { ${plain}; }` : install,
  )
}

const yarn: PrepareTool = {
  name: 'yarn',
  kind: 'javascript',
  lockfiles: /^yarn\.lock$/,
  manifests: MANIFESTS,
  programs: ['yarn', 'npm'],
  isNeeded: namesPackages,
  needsSources: copiesFolders,
  command: yarnCommand,
  environment: {
    ...QUIET,
    ...COREPACK,
    YARN_ENABLE_TELEMETRY: '0',
    YARN_GLOBAL_FOLDER: `${HOME_FOLDER}/.yarn`,
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
  },
  online: (url) => ({
    ...npmOnline(url),
    ...corepackOnline(url),
    YARN_CACHE_FOLDER: `${HOME_FOLDER}/.yarn-cache`,
    YARN_HTTP_PROXY: PROXY,
    YARN_HTTPS_PROXY: PROXY,
    ...(url !== null && { YARN_NPM_REGISTRY_SERVER: url, YARN_REGISTRY: url }),
    ...(isHttp(url) && { YARN_UNSAFE_HTTP_WHITELIST: hostOf(url) }),
  }),
  offline: { ...npmOffline, COREPACK_ENABLE_NETWORK: '0', YARN_ENABLE_NETWORK: 'false' },
  projectOutputs: ['node_modules', '.yarn', '.pnp.cjs', '.pnp.loader.mjs'],
  homeOutputs: [...MANAGER_OUTPUTS, '.yarn', '.yarn-cache'],
}

/** The first that applies is used. */
export const JAVASCRIPT_TOOLS: readonly PrepareTool[] = [pnpm, yarn, npm]
