// Which parts of the service this deployment has switched on. Says that something is set and what follows from it, never
// what it is set to: neither secrets nor addresses leave here.
import { runnableSandboxes } from '../../agent/agent.ts'
import { userByEmail } from '../../identity/identity.ts'
import type { App } from '../../platform/app.ts'
import { accessFeatures, foundationFeatures, workFeatures } from './config-features.ts'
import { inferenceFeatures } from './inference-features.ts'
import { railFeatures } from './rail-features.ts'

export type Feature = {
  readonly key: string
  readonly label: string
  /** The variables that decide it. */
  readonly env: string
  /** Whether it works for customers of this deployment. */
  readonly live: boolean
  readonly detail: string
}

export async function readPosture(app: App): Promise<{ features: Feature[] }> {
  return {
    features: [
      ...foundationFeatures(app.config),
      ...(await inferenceFeatures(app)),
      ...(await sandboxFeatures(app)),
      ...workFeatures(app.config),
      ...railFeatures(app),
      ...accessFeatures(app.config),
      await rootAdminFeature(app),
    ],
  }
}

const SANDBOX_VARIABLES = {
  local: 'SERVICE_SANDBOX_LOCAL',
  docker: 'SERVICE_SANDBOX_DOCKER, DOCKER_HOST, SERVICE_SANDBOX_DOCKER_IMAGE',
}

/** By what really runs here, which is tried out once a minute at most. */
async function sandboxFeatures(app: App): Promise<Feature[]> {
  const runnable = await runnableSandboxes(app)
  return (['local', 'docker'] as const).map((kind) => {
    const live = runnable.includes(kind)
    const isOff = app.config.sandbox[kind] === false
    return {
      key: `sandbox_${kind}`,
      label: kind === 'local' ? 'Sandbox on this machine' : 'Sandbox in Docker',
      env: SANDBOX_VARIABLES[kind],
      live,
      detail: live
        ? 'Loops can run tests in it.'
        : isOff
          ? 'Switched off.'
          : 'Not switched off, and its tools are missing or do not pass their test here.',
    }
  })
}

async function rootAdminFeature({ config, db }: App): Promise<Feature> {
  const email = config.rootAdminEmail
  const account = email === null ? undefined : await userByEmail(db.direct, email)
  const live = account?.verified ?? false
  return {
    key: 'root_admin',
    label: 'Root administrator',
    env: 'SERVICE_ROOT_ADMIN_EMAIL',
    live,
    detail: live
      ? 'Named, and the account is confirmed.'
      : email === null
        ? 'Not set: super admins are those whom others made so.'
        : 'Named, and nobody has confirmed an account with that address yet.',
  }
}
