// The OAuth application of sign-in with GitHub.
import type { EnvironmentReader } from './environment.ts'

export type GithubLoginConfig = {
  readonly clientId: string
  readonly clientSecret: string
  /** The origin of the pages of GitHub, and of its API. */
  readonly webUrl: string
  readonly apiUrl: string
}

export function readGithubLogin(read: EnvironmentReader): GithubLoginConfig | null {
  const clientId = read.text('SERVICE_GITHUB_CLIENT_ID')
  const clientSecret = read.secret('SERVICE_GITHUB_CLIENT_SECRET', 8)
  const webUrl = read.url('SERVICE_GITHUB_BASE_URL', ['http', 'https']) ?? 'https://github.com'
  const apiUrl = read.url('SERVICE_GITHUB_API_URL', ['http', 'https']) ?? 'https://api.github.com'
  if (clientId === null) return null
  if (clientSecret === null)
    read.problem('SERVICE_GITHUB_CLIENT_SECRET', 'is required with SERVICE_GITHUB_CLIENT_ID.')
  const plain = (url: string) => url.replace(/\/+$/, '')
  return { clientId, clientSecret: clientSecret ?? '', webUrl: plain(webUrl), apiUrl: plain(apiUrl) }
}
