// The ways to pay in, and the doors their providers knock at.
import { accountsOf, providers } from '../../payments/payments.ts'
import type { App } from '../../platform/app.ts'
import type { Feature } from './posture.ts'

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
        ? 'Has the keys of a playground, which are not used in production.'
        : 'Live with the keys of a playground: no real money.',
      none: isProduction ? 'Not set: its channels are not offered.' : 'Not set: a mock with play money.',
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
    label: 'Messages of the card provider',
    env: 'PAYSTACK_SECRET_KEY, SERVICE_WEBHOOK_IPS_CARD',
    live,
    detail: live
      ? 'Their signature and the address they come from are checked.'
      : 'Not set: all of them are refused.',
  }
}

/** Providers that sign nothing show a token; the address in GET /admin/rails has one that we made. */
const tokens = ({ config: { webhookTokens } }: App): Feature[] =>
  (['mpesa', 'momo'] as const).map((rail) => ({
    key: `webhook_${rail}`,
    label: rail === 'mpesa' ? 'Messages of M-Pesa' : 'Messages of MTN MoMo',
    env: `SERVICE_WEBHOOK_TOKEN_${rail.toUpperCase()}, SERVICE_WEBHOOK_IPS_${rail.toUpperCase()}`,
    live: webhookTokens[rail] !== null,
    detail:
      webhookTokens[rail] === null
        ? 'No token is set: the address of its name is shut, that of GET /admin/rails is open where the rail has keys.'
        : 'A token is set, and the address they come from is checked.',
  }))
