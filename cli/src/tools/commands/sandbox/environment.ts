// The environment of commands: what tools need to work, and no keys.
import { delimiter, isAbsolute } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

const ALLOWED = new Set(
  `PATH USER LOGNAME LANG LANGUAGE TZ PWD SHELL COLUMNS
  NVM_DIR NVM_BIN NVM_INC FNM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL DENO_DIR DENO_INSTALL NODE_ENV NODE_OPTIONS NODE_PATH COREPACK_HOME
  PYENV_ROOT PYENV_VERSION PYTHONPATH PYTHONHOME VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV CONDA_EXE PIPX_HOME
  GOPATH GOROOT GOBIN GOFLAGS GOTOOLCHAIN GOARCH GOOS CGO_ENABLED CARGO_HOME RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS
  JAVA_HOME JDK_HOME MAVEN_OPTS M2_HOME GRADLE_OPTS KOTLIN_HOME SDKMAN_DIR ANDROID_HOME ANDROID_SDK_ROOT ANDROID_NDK_HOME
  DOTNET_ROOT DOTNET_CLI_TELEMETRY_OPTOUT FLUTTER_ROOT PUB_CACHE GEM_HOME GEM_PATH RBENV_ROOT RBENV_VERSION BUNDLE_PATH ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR
  CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS PKG_CONFIG_PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH LIBRARY_PATH CPATH CMAKE_PREFIX_PATH
  SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NIX_PATH NIX_SSL_CERT_FILE NIX_PROFILES LOCALE_ARCHIVE
  PREFIX TERMUX_VERSION ANDROID_ROOT ANDROID_DATA SYSTEMROOT WINDIR COMSPEC PATHEXT
  GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL`.split(/\s+/),
)
const PROXIES = new Set(
  'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy'.split(' '),
)
/** For programs that would wait for an answer, page or colour their output. */
const FIXED: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  CI: '1',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  EDITOR: 'true',
  DEBIAN_FRONTEND: 'noninteractive',
  PYTHONUNBUFFERED: '1',
}

/** Others may name files that a command does not see, and no program of Node.js would start. */
const HARMLESS_NODE_OPTIONS =
  /^(?:\s*--(?:max-old-space-size=\d+|openssl-legacy-provider|experimental-[\w-]+|no-warnings|enable-source-maps))+\s*$/

/** The variables of a command. `isSecret` judges the value of a variable that would be passed on. */
export function commandEnvironment(
  env: Environment,
  home: string | null,
  { isOnline, isSecret }: { isOnline: boolean; isSecret: (value: string) => boolean },
): Record<string, string> {
  const chosen: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value === '') continue
    const isAllowed = ALLOWED.has(name) || name.startsWith('LC_') || (isOnline && PROXIES.has(name))
    // A proxy address may contain a password.
    if (name === 'NODE_OPTIONS' && !HARMLESS_NODE_OPTIONS.test(value)) continue
    if (isAllowed && !/\/\/[^/@]*:[^/@]*@/.test(value) && !isSecret(value)) chosen[name] = value
  }
  return { ...chosen, PATH: absolutePath(env), ...(home === null ? {} : { HOME: home }), ...FIXED }
}

/** The variables of an MCP server of the user: as above, and nothing that would keep it from asking or colouring. */
export function serverEnvironment(env: Environment, home: string | null): Record<string, string> {
  const { CI: _, ...rest } = commandEnvironment(env, home, { isOnline: true, isSecret: () => false })
  return rest
}

/** A relative folder would be one of the repository. */
function absolutePath({ PATH, Path }: Environment): string {
  const folders = (PATH ?? Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  return folders.length === 0 ? '/usr/local/bin:/usr/bin:/bin' : folders.join(delimiter)
}
