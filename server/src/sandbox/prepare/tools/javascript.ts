// npm, pnpm and yarn. Everything they install is in the node_modules folders of the project.
import { HOME_FOLDER } from '../../bootstrap.ts'
import { isHttp, PROGRAM_FOLDER, type PrepareTool, type ProjectFolder } from './tool.ts'

const MANIFESTS = /(^|\/)(package\.json|\.npmrc|\.yarnrc(\.yml)?|pnpm-workspace\.yaml)$/
const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'workspaces']

async function namesPackages(project: ProjectFolder): Promise<boolean> {
  const text = await project.read('package.json')
  if (text === null) return false
  try {
    const manifest: unknown = JSON.parse(text)
    return DEPENDENCIES.some((key) => isFilled(manifest, key))
  } catch {
    // The tool reports the bad file.
    return true
  }
}

function isFilled(manifest: unknown, key: string): boolean {
  const value = typeof manifest === 'object' && manifest !== null ? Reflect.get(manifest, key) : undefined
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0
}

const QUIET = {
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
}
const npmOnline = (url: string | null) => ({
  npm_config_cache: `${HOME_FOLDER}/.npm`,
  npm_config_proxy: 'http://127.0.0.1:3128',
  npm_config_https_proxy: 'http://127.0.0.1:3128',
  npm_config_noproxy: '',
  npm_config_fetch_retries: '2',
  npm_config_fetch_retry_mintimeout: '500',
  npm_config_fetch_retry_maxtimeout: '3000',
  ...(url !== null && { npm_config_registry: `${url}/` }),
})
const npmOffline = { npm_config_offline: 'true', npm_config_cache: '/tmp/.npm' }

/** Finds the tool on the host, or lets corepack fetch the version that the project names. */
const viaCorepack = (tool: string, install: string): string => `
if ! command -v ${tool} >/dev/null; then
  mkdir -p ${PROGRAM_FOLDER}
  corepack enable --install-directory ${PROGRAM_FOLDER} ${tool}
fi
${install}`
const corepackOnline = (url: string | null) => ({
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  ...(url !== null && { COREPACK_NPM_REGISTRY: url, COREPACK_INTEGRITY_KEYS: '0' }),
})
const COREPACK_HOME = { COREPACK_HOME: `${HOME_FOLDER}/.corepack`, COREPACK_ENABLE_STRICT: '0' }

// If the lockfile is older than the manifest, as after an edit of the manifest, a plain install follows.
const NPM_CI = `
mkdir -p "$TMPDIR"
npm ci >"$TMPDIR/ci.log" 2>&1
code=$?
cat "$TMPDIR/ci.log"
if [ $code -ne 0 ] && grep -q EUSAGE "$TMPDIR/ci.log"; then npm install --no-package-lock; else (exit $code); fi`

const npm: PrepareTool = {
  name: 'npm',
  kind: 'javascript',
  lockfiles: /^(package-lock\.json|npm-shrinkwrap\.json|package\.json)$/,
  manifests: MANIFESTS,
  programs: ['npm'],
  isNeeded: namesPackages,
  command: async ({ names }) =>
    names.has('package-lock.json') || names.has('npm-shrinkwrap.json')
      ? NPM_CI
      : 'npm install --no-package-lock',
  environment: QUIET,
  online: npmOnline,
  offline: npmOffline,
  projectOutputs: ['node_modules'],
  homeOutputs: [],
}

const pnpm: PrepareTool = {
  name: 'pnpm',
  kind: 'javascript',
  lockfiles: /^pnpm-lock\.yaml$/,
  manifests: MANIFESTS,
  programs: ['pnpm', 'corepack'],
  isNeeded: namesPackages,
  command: async () =>
    viaCorepack('pnpm', 'pnpm install --frozen-lockfile || pnpm install --no-frozen-lockfile'),
  environment: { ...QUIET, ...COREPACK_HOME },
  online: (url) => ({
    ...npmOnline(url),
    ...corepackOnline(url),
    npm_config_store_dir: `${HOME_FOLDER}/.pnpm-store`,
    // The store is not part of the layer, so nothing may be a link into it.
    npm_config_package_import_method: 'copy',
  }),
  offline: { ...npmOffline, COREPACK_ENABLE_NETWORK: '0' },
  projectOutputs: ['node_modules'],
  homeOutputs: ['bin', '.corepack'],
}

const hostOf = (url: string): string => new URL(url).hostname

const yarn: PrepareTool = {
  name: 'yarn',
  kind: 'javascript',
  lockfiles: /^yarn\.lock$/,
  manifests: MANIFESTS,
  programs: ['yarn', 'corepack'],
  isNeeded: namesPackages,
  command: async (project) => {
    // Since version 2, lockfiles begin with their own version.
    const isClassic = !/^__metadata:/m.test((await project.read('yarn.lock')) ?? '')
    const install = isClassic
      ? 'yarn install --frozen-lockfile --non-interactive || yarn install --non-interactive'
      : 'yarn install --immutable || yarn install --no-immutable'
    return viaCorepack('yarn', install)
  },
  environment: {
    ...QUIET,
    ...COREPACK_HOME,
    YARN_ENABLE_TELEMETRY: '0',
    YARN_GLOBAL_FOLDER: `${HOME_FOLDER}/.yarn`,
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
  },
  online: (url) => ({
    ...npmOnline(url),
    ...corepackOnline(url),
    YARN_CACHE_FOLDER: `${HOME_FOLDER}/.yarn-cache`,
    YARN_HTTP_PROXY: 'http://127.0.0.1:3128',
    YARN_HTTPS_PROXY: 'http://127.0.0.1:3128',
    ...(url !== null && { YARN_NPM_REGISTRY_SERVER: url, YARN_REGISTRY: url }),
    ...(isHttp(url) && { YARN_UNSAFE_HTTP_WHITELIST: hostOf(url) }),
  }),
  offline: { ...npmOffline, COREPACK_ENABLE_NETWORK: '0', YARN_ENABLE_NETWORK: 'false' },
  projectOutputs: ['node_modules', '.yarn', '.pnp.cjs', '.pnp.loader.mjs'],
  homeOutputs: ['bin', '.corepack', '.yarn', '.yarn-cache'],
}

/** The first that applies is used. */
export const JAVASCRIPT_TOOLS: readonly PrepareTool[] = [pnpm, yarn, npm]
