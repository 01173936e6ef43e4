// Files that need --allow-sensitive: they contain secrets, pin dependencies, or run automatically on this computer or in
// CI.
import { fold } from './path-rules.ts'

/** Why the file is sensitive, as the rest of a sentence; null for an ordinary file. */
export function whySensitive(path: string): string | null {
  const folded = `/${fold(path)}`
  const found = KINDS.find(([, patterns]) => patterns.some((pattern) => pattern.test(folded)))
  return found?.[0] ?? null
}

/** Matches a folded path that starts with a slash. */
const KINDS: readonly (readonly [string, readonly RegExp[]])[] = [
  [
    'may contain secrets',
    [
      /\/\.env[^/]*(\/|$)/,
      /\/\.(npmrc|yarnrc(\.yml)?|netrc|pypirc|git-credentials|dockercfg)$/,
      /\/\.(ssh|aws|gnupg|kube|docker)\//,
      /\/id_(rsa|dsa|ecdsa|ed25519)[^/]*$/,
      /\.(pem|key|p12|pfx|jks|keystore|ppk)$/,
    ],
  ],
  [
    'controls what CI runs',
    [
      /\/\.(github|gitea|forgejo)\/(workflows|actions)\//,
      /\/\.(circleci|buildkite|woodpecker|semaphore|teamcity)\//,
      /\/\.gitlab\/ci\//,
      /\.gitlab-ci\.ya?ml$/,
      /\/\.(travis|drone|woodpecker|cirrus)\.ya?ml$/,
      /\/\.?(appveyor|cloudbuild)\.ya?ml$/,
      /\/(azure|bitbucket)-pipelines[^/]*$/,
      /\/jenkinsfile[^/]*$/,
    ],
  ],
  [
    'is a lockfile',
    [
      /\/(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock)$/,
      /\/(cargo|poetry|uv|pdm|pipfile|gemfile|composer|flake|mix|pubspec|podfile|package)\.(lock|resolved)$/,
      /\/(go\.sum|go\.work\.sum|packages\.lock\.json|gradle\.lockfile|\.terraform\.lock\.hcl)$/,
    ],
  ],
  [
    'can run automatically on this computer',
    [
      /\/\.(husky|githooks|git-hooks|devcontainer|idea|direnv|mise|cursor|claude|cowrie|hg|svn|jj)\//,
      /\/\.(gitattributes|gitmodules|gitconfig|mcp\.json|cowrie\.json|devcontainer\.json|pnpmfile\.cjs)$/,
      /\/\.?mise\.toml$/,
      /\/\.vscode\/(tasks|launch|settings|mcp)\.json$/,
      /\.code-workspace$/,
      /\/\.?(pre-commit-config|lefthook(-local)?)\.(ya?ml|toml|json)$/,
      /\/\.cargo\/config[^/]*$/,
      /\/\.yarn\/(releases|plugins)\//,
      /\/node_modules\//,
    ],
  ],
]
