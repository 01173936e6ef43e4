// Go, Maven, Gradle, Composer and Cargo. Their packages go to the home folder, except those of Composer.
import { HOME_FOLDER } from '../../bootstrap.ts'
import { PROXY, type PrepareTool } from './tool.ts'

const go: PrepareTool = {
  name: 'go',
  kind: 'go',
  lockfiles: /^go\.sum$/,
  manifests: /(^|\/)go\.(mod|sum|work|work\.sum)$|(^|\/)vendor\/modules\.txt$/,
  // The caches go by content, and the tests themselves are not run.
  compiledFiles: /\.(go|s|c|cc|cpp|h|hpp)$/,
  programs: ['go'],
  // A folder with copies of all packages needs none.
  isNeeded: async (project) =>
    !project.names.has('vendor') && ((await project.read('go.sum')) ?? 'unread').trim() !== '',
  // Compiling once fills the cache with the standard library. It may fail: the tests show that later.
  command: async () => `go mod download || exit; go test -exec true ./... >/dev/null 2>&1; true`,
  environment: {
    GOPATH: `${HOME_FOLDER}/go`,
    GOCACHE: `${HOME_FOLDER}/.cache/go-build`,
    GOTOOLCHAIN: 'local',
  },
  // Files of the module cache are read-only otherwise, and could not be removed.
  online: (url) => ({ GOFLAGS: '-modcacherw', ...(url !== null && { GOPROXY: url, GOSUMDB: 'off' }) }),
  offline: { GOPROXY: 'off', GOSUMDB: 'off' },
  projectOutputs: [],
  homeOutputs: ['go/pkg', '.cache/go-build'],
}

const M2 = `${HOME_FOLDER}/.m2`
const PROXIES = ['http', 'https']
  .map(
    (protocol) =>
      `<proxy><id>${protocol}</id><active>true</active><protocol>${protocol}</protocol><host>127.0.0.1</host><port>3128</port></proxy>`,
  )
  .join('')
const ADD_EMPTY_TESTS =
  'for at; do mkdir -p "$at/java"; echo "class CowrieEmptyTest { }" >"$at/java/CowrieEmptyTest.java"; done'
const OFFLINE = '<settings><offline>true</offline></settings>'

const maven: PrepareTool = {
  name: 'maven',
  kind: 'jvm',
  lockfiles: /^pom\.xml$/,
  manifests: /(^|\/)(pom\.xml|mvnw|\.mvn\/.+)$/,
  programs: ['mvn', 'java'],
  // The test plugin fetches parts of itself only when it finds a test, so it gets an empty one. Offline, Maven ignores
  // packages of another mirror, unless it does not know where they came from.
  command: async ({ names }) => `
mvn=${names.has('mvnw') ? "'sh ./mvnw'" : 'mvn'}
mkdir -p ${M2}
mirror=
if [ -n "$MAVEN_MIRROR" ]; then
  mirror="<mirrors><mirror><id>registry</id><mirrorOf>*</mirrorOf><url>$MAVEN_MIRROR</url></mirror></mirrors>"
fi
echo "<settings><proxies>${PROXIES}</proxies>$mirror</settings>" >${M2}/settings.xml
find . -type d -path '*/src/test' -exec sh -c '${ADD_EMPTY_TESTS}' sh {} +
$mvn -B -ntp -Dtest=CowrieEmptyTest -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false test ||
  $mvn -B -ntp dependency:go-offline
code=$?
find ${M2} -name _remote.repositories -delete
echo '${OFFLINE}' >${M2}/settings.xml
(exit $code)`,
  // Java takes the home folder from /etc/passwd.
  environment: { MAVEN_OPTS: `-Duser.home=${HOME_FOLDER}` },
  online: (url) => (url === null ? {} : { MAVEN_MIRROR: url, MVNW_REPOURL: url }),
  offline: {},
  projectOutputs: [],
  homeOutputs: ['.m2'],
}

const GRADLE_HOME = `${HOME_FOLDER}/.gradle`
const RESOLVE_ALL = `
allprojects { tasks.register("cowrieResolve") { doLast {
  configurations.findAll { it.canBeResolved }.each {
    try { it.resolve() } catch (Exception e) { logger.warn("Left out " + it.name + ": " + e.message) }
  }
} } }`

const gradle: PrepareTool = {
  name: 'gradle',
  kind: 'jvm',
  lockfiles: /^(build|settings)\.gradle(\.kts)?$/,
  manifests:
    /(^|\/)([^/]+\.gradle(\.kts)?|gradle\.(properties|lockfile)|gradlew|(gradle|buildSrc|build-logic)\/.+)$/,
  programs: ['gradle', 'java'],
  command: async ({ names }) => `
mkdir -p ${GRADLE_HOME}/init.d
for scheme in http https; do
  echo "systemProp.$scheme.proxyHost=127.0.0.1"; echo "systemProp.$scheme.proxyPort=3128"
done >${GRADLE_HOME}/gradle.properties
echo '${RESOLVE_ALL}' >${GRADLE_HOME}/init.d/resolve.gradle
gradle="${names.has('gradlew') ? 'sh ./gradlew' : 'gradle'} --no-daemon -Dorg.gradle.configuration-cache=false"
$gradle cowrieResolve
code=$?
# Fetches parts of plugins that only run when they compile.
[ $code -ne 0 ] || $gradle --continue testClasses >/dev/null 2>&1
rm ${GRADLE_HOME}/gradle.properties ${GRADLE_HOME}/init.d/resolve.gradle
echo 'gradle.startParameter.offline = true' >${GRADLE_HOME}/init.d/offline.gradle
(exit $code)`,
  environment: { GRADLE_USER_HOME: GRADLE_HOME, GRADLE_OPTS: '-Dorg.gradle.daemon=false' },
  offline: {},
  projectOutputs: [],
  homeOutputs: ['.gradle'],
}

const composer: PrepareTool = {
  name: 'composer',
  kind: 'php',
  lockfiles: /^composer\.(lock|json)$/,
  manifests: /(^|\/)composer\.(lock|json)$/,
  programs: ['composer'],
  isNeeded: async (project) =>
    /"(require|require-dev)"\s*:/.test((await project.read('composer.json')) ?? ''),
  // These make a list of the classes in the project.
  needsSources: async (project) =>
    /"classmap"|"(optimize-autoloader|classmap-authoritative)"\s*:\s*true/.test(
      (await project.read('composer.json')) ?? '',
    ),
  command: async () => `
if [ -n "$COMPOSER_MIRROR" ]; then
  composer config -g secure-http false && composer config -g repos.packagist composer "$COMPOSER_MIRROR" || exit
fi
composer install --no-interaction --no-progress`,
  environment: { COMPOSER_HOME: `${HOME_FOLDER}/.composer` },
  online: (url) => (url === null ? {} : { COMPOSER_MIRROR: url }),
  offline: { COMPOSER_DISABLE_NETWORK: '1' },
  projectOutputs: ['vendor'],
  homeOutputs: [],
}

// Cargo compares times, not contents: later runs could use what was compiled from other files of the project.
const LIST_OWN_CRATES = `
const { packages } = JSON.parse(require("node:fs").readFileSync(0, "utf8"))
const own = packages.filter(({ source }) => source === null)
console.log(own.map(({ name, version }) => "-p " + name + "@" + version).join(" "))
`

const cargo: PrepareTool = {
  name: 'cargo',
  kind: 'rust',
  lockfiles: /^Cargo\.(lock|toml)$/,
  manifests: /(^|\/)(Cargo\.(lock|toml)|build\.rs|rust-toolchain(\.toml)?|\.cargo\/config(\.toml)?)$/,
  programs: ['cargo'],
  command: async () => `
mkdir -p "$CARGO_HOME"
if [ -n "$CARGO_MIRROR" ]; then
  printf '[source.crates-io]\\nreplace-with = "mirror"\\n[source.mirror]\\nregistry = "sparse+%s/"\\n' "$CARGO_MIRROR" \\
    >"$CARGO_HOME/config.toml"
fi
cargo fetch || exit
cargo build --tests --keep-going >/dev/null 2>&1
own=$(cargo metadata --format-version 1 --offline | node -e '${LIST_OWN_CRATES}') || exit
[ -z "$own" ] || cargo clean --offline $own`,
  environment: { CARGO_HOME: `${HOME_FOLDER}/.cargo`, CARGO_TARGET_DIR: `${HOME_FOLDER}/target` },
  online: (url) => ({
    CARGO_HTTP_PROXY: PROXY,
    ...(url !== null && { CARGO_MIRROR: url }),
  }),
  offline: { CARGO_NET_OFFLINE: 'true' },
  projectOutputs: [],
  homeOutputs: ['.cargo', 'target'],
}

export const COMPILED_TOOLS: readonly PrepareTool[] = [go, maven, gradle, composer, cargo]
