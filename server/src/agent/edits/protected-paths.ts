// Files that run by themselves or hold secrets: what they contain acts on the developer's machine before anybody has
// read it, so no answer of a model writes them.

/** `folded` is a clean path with its case folded. */
export function isProtectedPath(folded: string): boolean {
  const segments = folded.split('/')
  const name = segments.at(-1) ?? ''
  return (
    segments.some((segment) => FOLDERS.has(segment)) ||
    FOLDER_PAIRS.some((pair) => `/${folded}/`.includes(`/${pair}/`)) ||
    NAMES.has(name) ||
    NAME_PATTERNS.some((pattern) => pattern.test(name))
  )
}

/** Protected wherever they stand, with everything below them. */
const FOLDERS: ReadonlySet<string> = new Set([
  '.git',
  '.husky',
  'node_modules',
  '.circleci',
  '.buildkite',
  '.woodpecker',
  '.devcontainer',
  '.ssh',
  '.aws',
  '.gnupg',
])

const FOLDER_PAIRS: readonly string[] = [
  '.github/workflows',
  '.github/actions',
  '.gitea/workflows',
  '.forgejo/workflows',
  '.vscode/tasks.json',
  '.vscode/launch.json',
  '.vscode/settings.json',
]

const NAMES: ReadonlySet<string> = new Set([
  '.gitmodules',
  '.gitconfig',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.netrc',
  '.pypirc',
  '.gitlab-ci.yml',
  '.travis.yml',
  '.drone.yml',
  '.woodpecker.yml',
  'jenkinsfile',
  'appveyor.yml',
  '.appveyor.yml',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'cloudbuild.yaml',
  'cloudbuild.yml',
])

const NAME_PATTERNS: readonly RegExp[] = [
  /^\.env/,
  /^id_(rsa|dsa|ecdsa|ed25519)/,
  /\.(pem|key|p12|pfx|jks|keystore|ppk)$/,
]
