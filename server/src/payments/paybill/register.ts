// Registers our URLs for payments by hand at M-Pesa.
import { record } from '../../audit/audit.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import { monitoredClient } from '../rails/circuit-breaker.ts'
import { paybillUrl } from '../settle/webhooks/webhook-url.ts'
import { paybillAccount } from './accounts.ts'

/** M-Pesa refuses a second registration in production until its support deletes the first. Each attempt is audited. */
export async function registerUrls(
  app: App,
  actor: Actor,
  responseType: 'Completed' | 'Cancelled',
  ip: string,
) {
  const account = paybillAccount(app)
  if (!account) throw new ApiError('not_configured')
  const base = paybillUrl(app)
  const urls = { validationUrl: `${base}/validation`, confirmationUrl: `${base}/confirmation` }
  const forbidden = account.probes?.forbiddenInUrl?.exec(base)
  const reply = forbidden
    ? { status: 'refused' as const, reason: `M-Pesa does not accept "${forbidden[0]}" in a URL.` }
    : await account.paybill.registerUrls(monitoredClient(app, account), { ...urls, responseType })
  const { shortcode } = account.paybill
  const isRegistered = reply.status === 'accepted'
  const detail = reply.status === 'accepted' ? 'M-Pesa accepted the URLs.' : reply.reason
  await app.db.tx('platform', (tx) =>
    record(tx, {
      orgId: null,
      actor,
      as: 'operator',
      ip,
      action: 'admin.rails.register_urls',
      target: 'daraja',
      metadata: { shortcode, responseType, result: reply.status, detail },
    }),
  )
  return { ok: isRegistered, shortcode, responseType, host: new URL(base).host, detail }
}
