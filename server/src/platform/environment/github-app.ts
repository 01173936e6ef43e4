// The GitHub App of the review bot.
import type { EnvironmentReader } from './environment.ts'

export type GithubAppConfig = {
  readonly appId: string
  readonly privateKey: string
  readonly webhookSecret: string
  readonly apiUrl: string
}

export function readGithubApp(read: EnvironmentReader): GithubAppConfig | null {
  const appId = read.text('SERVICE_GITHUB_APP_ID')
  const privateKey = read.text('SERVICE_GITHUB_PRIVATE_KEY')
  const webhookSecret = read.secret('SERVICE_GITHUB_WEBHOOK_SECRET', 8)
  const apiUrl = read.url('SERVICE_GITHUB_API_URL', ['http', 'https']) ?? 'https://api.github.com'
  if (appId === null) return null
  if (privateKey === null)
    read.problem('SERVICE_GITHUB_PRIVATE_KEY', 'is required with SERVICE_GITHUB_APP_ID.')
  if (webhookSecret === null)
    read.problem('SERVICE_GITHUB_WEBHOOK_SECRET', 'is required with SERVICE_GITHUB_APP_ID.')
  return { appId, privateKey: privateKey ?? '', webhookSecret: webhookSecret ?? '', apiUrl }
}
