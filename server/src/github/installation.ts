// Installations on GitHub and their access tokens. Each token is created for one task, with only the repositories and
// permissions that the task needs. Tokens are never stored or logged.
import { createPrivateKey, sign } from 'node:crypto'
import { z } from 'zod'
import { present } from '../kernel/assert.ts'
import type { App } from '../platform/app.ts'
import { GithubUnavailable } from './errors.ts'
import { parseJson, sendRequest } from './request.ts'

/** GitHub sends times as text or as seconds; null when there is none. */
export const githubTime = z
  .union([
    z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
    z
      .int()
      .nonnegative()
      .max(100_000_000_000)
      .transform((seconds) => new Date(seconds * 1000)),
    z.null(),
  ])
  .catch(null)
  .default(null)

const Installation = z.object({
  id: z.int(),
  account: z.object({ id: z.int(), login: z.string().max(100), type: z.string().max(40).default('User') }),
  repository_selection: z.enum(['all', 'selected']).catch('selected'),
  permissions: z.record(z.string().max(100), z.string().max(20)),
  events: z.array(z.string().max(100)).default([]),
  suspended_at: z.string().nullish(),
  updated_at: githubTime,
})
export type GithubInstallation = z.output<typeof Installation>

export async function fetchInstallation(
  app: App,
  id: number,
  signal?: AbortSignal,
): Promise<GithubInstallation> {
  const path = `/app/installations/${id}`
  const reply = await sendRequest(app, { method: 'GET', path, token: appToken(app), signal })
  return parseReply(Installation, parseJson(reply, path), path)
}

export type TokenScope = {
  readonly repositoryIds?: readonly number[]
  readonly permissions: Readonly<Record<string, 'read' | 'write'>>
}

const Token = z.object({ token: z.string().min(1).max(1_000) })

export async function createInstallationToken(
  app: App,
  id: number,
  { repositoryIds, permissions }: TokenScope,
  signal?: AbortSignal,
): Promise<string> {
  const path = `/app/installations/${id}/access_tokens`
  const body = { permissions, ...(repositoryIds && { repository_ids: repositoryIds }) }
  const reply = await sendRequest(app, { method: 'POST', path, token: appToken(app), body, signal })
  return parseReply(Token, parseJson(reply, path), path).token
}

const Repositories = z.object({
  repositories: z.array(
    z.object({
      id: z.int(),
      full_name: z.string().max(300),
      default_branch: z.string().max(300).default('main'),
    }),
  ),
})
export type InstalledRepository = z.output<typeof Repositories>['repositories'][number]

/** The first `most` repositories. */
export async function listRepositories(
  app: App,
  token: string,
  most: number,
): Promise<InstalledRepository[]> {
  const path = `/installation/repositories?per_page=${most}`
  const reply = await sendRequest(app, { method: 'GET', path, token })
  return parseReply(Repositories, parseJson(reply, path), path).repositories.slice(0, most)
}

/** Throws `GithubUnavailable` if the value does not match the schema. */
export function parseReply<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value)
  if (!result.success) throw new GithubUnavailable(what, result.error)
  return result.data
}

function appToken(app: App): string {
  const { appId, privateKey } = present(app.config.github, 'the GitHub App is configured')
  const seconds = Math.floor(app.clock.now().getTime() / 1000)
  const key = `${seconds} ${appId} ${privateKey}`
  if (lastToken?.key !== key) lastToken = { key, token: appJwt(appId, privateKey, seconds) }
  return lastToken.token
}

/** Signing takes milliseconds. Requests of the same second share a token. */
let lastToken: { readonly key: string; readonly token: string } | undefined

const BACKDATED_SECONDS = 60
const VALID_SECONDS = 9 * 60

/** A short-lived JWT that authenticates the app. Backdated, because GitHub rejects tokens from the future. */
function appJwt(appId: string, privateKey: string, seconds: number): string {
  const claims = { iat: seconds - BACKDATED_SECONDS, exp: seconds + VALID_SECONDS, iss: appId }
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  // In an environment variable, line breaks can be written as \\n.
  const key = createPrivateKey(privateKey.replaceAll('\\n', '\n'))
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
