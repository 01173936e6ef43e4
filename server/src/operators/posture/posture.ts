// The enabled features of this deployment. Reports whether variables are set and the effect, never their values: secrets and
// addresses stay private.

import { userByEmail } from '../../identity/identity.ts'
import type { App } from '../../platform/app.ts'
import { runnableSandboxes } from '../../sandbox/sandbox.ts'
import { accessFeatures, foundationFeatures, workFeatures } from './config-features.ts'
import { einvoiceFeatures } from './einvoice-features.ts'
import type { Feature } from './feature.ts'
import { inferenceFeatures } from './inference-features.ts'
import { railFeatures } from './rail-features.ts'

export async function readPosture(app: App): Promise<{ features: Feature[] }> {
  return {
    features: [
      ...foundationFeatures(app.config),
      ...(await inferenceFeatures(app)),
      ...(await sandboxFeatures(app)),
      ...workFeatures(app.config),
      ...railFeatures(app),
      ...einvoiceFeatures(app),
      ...accessFeatures(app.config),
      await rootAdminFeature(app),
    ],
  }
}

const SANDBOX_VARIABLES = {
  local: 'SERVICE_SANDBOX_LOCAL, SERVICE_SANDBOX_REGISTRIES',
  docker: 'SERVICE_SANDBOX_DOCKER, DOCKER_HOST, SERVICE_SANDBOX_DOCKER_IMAGE',
}

/** Reports sandboxes that passed their self-test, which runs at most once a minute. */
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
          ? 'Disabled.'
          : 'Enabled, but its tools are missing or fail their self-test.',
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
      ? 'Set, and the account is verified.'
      : email === null
        ? 'Not set. Super admins are granted by other super admins.'
        : 'Set, but no verified account has that address.',
  }
}
