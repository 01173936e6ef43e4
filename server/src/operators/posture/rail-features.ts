// Payment providers and their webhooks.
import { accountsOf, providers } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Feature } from './feature.ts'

export function railFeatures(app: App): Feature[] {
  return [...providers.map((provider) => railFeature(app, provider)), cardWebhook(app), ...tokens(app)]
}

function railFeature(app: App, { name, needs }: (typeof providers)[number]): Feature {
  const accounts = accountsOf(app, name)
  const keys = accounts.find((account) => account.keys === 'live')?.keys ?? accounts[0]?.keys ?? 'none'
  const isProduction = app.config.environment === 'production'
  return {
    key: `rail_${name}`,
    label: `Payments by ${LABELS[name] ?? name}`,
    env: needs.join(', '),
    live: keys === 'live' || (keys === 'test' && !isProduction),
    detail: {
      live: accounts.length > 1 ? `Live in ${accounts.map(({ account }) => account).join(', ')}.` : 'Live.',
      test: isProduction
        ? 'Has test keys, which are not used in production.'
        : 'Uses test keys: no real money.',
      none: isProduction
        ? 'Not set. Its channels are not offered.'
        : 'Not set. A mock without real money is used.',
    }[keys],
  }
}

const LABELS: Readonly<Record<string, string>> = {
  paystack: 'Paystack',
  flutterwave: 'Flutterwave',
  daraja: 'M-Pesa (Daraja)',
  momo: 'MTN MoMo',
  opay: 'OPay',
  palmpay: 'PalmPay',
  ozow: 'Ozow',
  fawry: 'Fawry',
}

function cardWebhook(app: App): Feature {
  const live = accountsOf(app, 'paystack').length > 0
  return {
    key: 'webhook_card',
    label: 'Webhooks of the card provider',
    env: 'PAYSTACK_SECRET_KEY, SERVICE_WEBHOOK_IPS_CARD',
    live,
    detail: live ? 'Signature and source address are checked.' : 'Not set. All webhooks are refused.',
  }
}

/** Providers without signatures send a token. The URL in GET /admin/rails contains a generated one. */
const tokens = ({ config: { webhookTokens } }: App): Feature[] =>
  (['mpesa', 'momo'] as const).map((rail) => ({
    key: `webhook_${rail}`,
    label: rail === 'mpesa' ? 'Webhooks of M-Pesa' : 'Webhooks of MTN MoMo',
    env: `SERVICE_WEBHOOK_TOKEN_${rail.toUpperCase()}, SERVICE_WEBHOOK_IPS_${rail.toUpperCase()}`,
    live: webhookTokens[rail] !== null,
    detail:
      webhookTokens[rail] === null
        ? 'No token is set. The named URL is disabled; the URL from GET /admin/rails works if the provider has keys.'
        : 'A token is set, and the source address is checked.',
  }))
