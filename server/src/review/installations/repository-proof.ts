// Proves that a repository is to be used by an organisation: a file in it, which only people with write access can add.
import { createInstallationToken, fetchFile, isRefusal, parseRepositoryName } from '../../github/github.ts'
import type { OrgId } from '../../kernel/ids.ts'
import type { App } from '../../platform/app.ts'
import { POLICY_BYTES_MAX, POLICY_PATH, parsePolicyFile } from '../pull/repo-policy.ts'

export type ProofInput = {
  readonly orgId: OrgId
  readonly token: string
  /** `owner/name`. */
  readonly repository: string
  /** Null: the default branch. */
  readonly branch: string | null
  readonly signal?: AbortSignal | undefined
}

/** Whether the policy file of this repository names the organisation. */
export async function namesOrganisation(
  app: App,
  { orgId, token, repository, branch, signal }: ProofInput,
): Promise<boolean> {
  const name = parseRepositoryName(repository)
  if (name === null) return false
  try {
    const file = await fetchFile({ app, token, name, signal }, POLICY_PATH, branch, POLICY_BYTES_MAX)
    return file !== null && parsePolicyFile(file)?.org === orgId
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/**
 * The claim of an installation proves one repository only. Others are proven by their own file, or by that of the repository `.github`
 * of their owner, which speaks for all of them.
 */
export async function mayOpenRepository(
  app: App,
  { externalId, ...input }: Omit<ProofInput, 'token' | 'branch'> & { readonly externalId: number },
): Promise<boolean> {
  if (app.config.environment !== 'production') return true
  const scope = { permissions: { contents: 'read', metadata: 'read' } } as const
  const token = await createInstallationToken(app, externalId, scope, input.signal)
  const owner = input.repository.split('/')[0] ?? ''
  for (const repository of [input.repository, `${owner}/.github`])
    if (await namesOrganisation(app, { ...input, token, repository, branch: null })) return true
  return false
}
