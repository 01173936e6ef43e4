// The names and places that staff need to repair the configuration of each provider.
import type { ProviderName } from '../channels.ts'
import type { Account } from '../rails/accounts.ts'
import { MARKETS } from '../rails/markets.ts'
import type { NewerApi } from '../rails/rail.ts'

export type Guide = {
  readonly title: string
  /** The variables of the keys, without the suffix of a country. */
  readonly keys: readonly string[]
  /** The page with the keys. */
  readonly keysPage: string
  /** The page that shows the country and currency of the account. */
  readonly accountPage: string
  /** The way from test keys to live keys. */
  readonly goLive: string
  /** Where the webhook URL is registered. Null where each payment carries it. */
  readonly webhookPage: string | null
  /** The variables of the webhook signature. */
  readonly signatureKeys?: readonly string[]
  /** The variable of the host, where it is not that of the provider's older API. */
  readonly baseUrl?: string
  /** The reason why no sample can be signed, and the compensation. */
  readonly unsigned?: string
  /** The repair of an account that the provider does not accept. */
  readonly wrongAccount?: string
  /** Keys that no safe call uses. */
  readonly unchecked?: string
}

const COMPENSATION =
  'its webhook URL has a secret path, and a webhook only triggers a status query whose answer decides.'

const GUIDES: Readonly<Record<ProviderName | NewerApi, Guide>> = {
  paystack: {
    title: 'Paystack',
    keys: ['PAYSTACK_SECRET_KEY'],
    keysPage: 'Settings > API Keys & Webhooks in the Paystack dashboard',
    accountPage: 'Settings > Profile in the Paystack dashboard',
    goLive: 'use the key that begins with sk_live_',
    webhookPage: 'Settings > API Keys & Webhooks > Live Webhook URL in the Paystack dashboard',
  },
  flutterwave: {
    title: 'Flutterwave',
    keys: ['FLUTTERWAVE_SECRET_KEY'],
    keysPage: 'Settings > API Keys in the Flutterwave dashboard (version 3 keys)',
    accountPage: 'Settings > Business Preferences in the Flutterwave dashboard',
    goLive: 'use the key that begins with FLWSECK- without _TEST',
    webhookPage: 'Settings > Webhooks in the Flutterwave dashboard, where retries must be switched on too',
    signatureKeys: ['FLUTTERWAVE_WEBHOOK_HASH'],
  },
  flutterwave_v4: {
    title: 'Flutterwave',
    keys: ['FLUTTERWAVE_CLIENT_ID', 'FLUTTERWAVE_CLIENT_SECRET'],
    keysPage: 'Settings > API Keys in the Flutterwave dashboard (version 4 client credentials)',
    accountPage: 'Settings > Business Preferences in the Flutterwave dashboard',
    goLive: 'use the live client credentials, and remove FLUTTERWAVE_CLIENT_BASE_URL',
    webhookPage: 'Settings > Webhooks in the Flutterwave dashboard, where retries must be switched on too',
    signatureKeys: ['FLUTTERWAVE_WEBHOOK_HASH'],
    baseUrl: 'FLUTTERWAVE_CLIENT_BASE_URL',
    unchecked: 'FLUTTERWAVE_SECRET_KEY_PREVIOUS, for payments of version 3, is not checked.',
  },
  daraja: {
    title: 'Daraja',
    keys: ['DARAJA_CONSUMER_KEY', 'DARAJA_CONSUMER_SECRET'],
    keysPage: 'My Apps in the Daraja portal (developer.safaricom.co.ke)',
    accountPage: 'the M-PESA organisation portal (org.ke.m-pesa.com)',
    goLive: 'use the keys of the app that Go Live in the Daraja portal created, and remove DARAJA_BASE_URL',
    webhookPage: null,
    unsigned: `M-Pesa does not sign its webhooks: ${COMPENSATION}`,
    wrongAccount:
      'Copy DARAJA_SHORTCODE and DARAJA_PASSKEY again from the go-live mail of Safaricom; for a till, DARAJA_SHORTCODE is the store number and DARAJA_TILL the till.',
  },
  momo: {
    title: 'MTN MoMo',
    keys: ['MOMO_SUBSCRIPTION_KEY', 'MOMO_API_USER', 'MOMO_API_KEY'],
    keysPage:
      'the profile of the MoMo developer portal (subscription key of Collections) and the partner portal of the country (API user and key)',
    accountPage: 'the partner portal of the country',
    goLive: 'use the keys of the partner portal, and set MOMO_TARGET_ENVIRONMENT to the country',
    webhookPage: 'the providerCallbackHost of the API user in the partner portal of the country',
    unsigned: `MTN does not sign its webhooks: ${COMPENSATION}`,
    wrongAccount:
      'Set MOMO_TARGET_ENVIRONMENT to the country of the API user, or use the API user and key of the configured country.',
  },
  opay: {
    title: 'OPay',
    keys: ['OPAY_MERCHANT_ID', 'OPAY_SECRET_KEY'],
    keysPage: 'Account Details > API Keys & Webhooks in the OPay merchant dashboard',
    accountPage: 'Account Details in the OPay merchant dashboard',
    goLive: 'use the live keys, and remove OPAY_BASE_URL',
    webhookPage: null,
    unchecked: 'OPAY_PUBLIC_KEY is used only to create payments and is not checked.',
  },
  palmpay: {
    title: 'PalmPay',
    keys: ['PALMPAY_APP_ID', 'PALMPAY_PRIVATE_KEY'],
    keysPage: 'the application page of the PalmPay merchant portal, where our public key is registered',
    accountPage: 'the PalmPay merchant portal',
    goLive: 'use the live application, and remove PALMPAY_BASE_URL',
    webhookPage: null,
    unsigned:
      'PalmPay signs its webhooks with a key that only PalmPay has, so no sample can be signed; a webhook only triggers a status query whose answer decides.',
  },
  ozow: {
    title: 'Ozow',
    keys: ['OZOW_SITE_CODE', 'OZOW_API_KEY'],
    keysPage: 'Merchant Details in the Ozow merchant portal',
    accountPage: 'Merchant Details in the Ozow merchant portal',
    goLive: 'remove OZOW_IS_TEST and OZOW_BASE_URL',
    webhookPage: null,
    unchecked: 'OZOW_PRIVATE_KEY is used only for hashes of payments and webhooks and is not checked.',
  },
  ozow_one: {
    title: 'Ozow',
    keys: ['OZOW_CLIENT_ID', 'OZOW_CLIENT_SECRET', 'OZOW_SITE_CODE'],
    keysPage: 'the API credentials of the One API in the Ozow merchant portal',
    accountPage: 'Merchant Details in the Ozow merchant portal',
    goLive: 'use the live client credentials, and remove OZOW_CLIENT_BASE_URL',
    webhookPage: 'the webhooks of the One API (POST /webhooks, then GET /webhooks/{id}/secret)',
    signatureKeys: ['OZOW_WEBHOOK_SECRET'],
    baseUrl: 'OZOW_CLIENT_BASE_URL',
    unchecked: 'OZOW_API_KEY and OZOW_PRIVATE_KEY, for PayShap, are not checked.',
  },
  fawry: {
    title: 'Fawry',
    keys: ['FAWRY_MERCHANT_CODE', 'FAWRY_SECURE_KEY'],
    keysPage: 'Integration in the Fawry merchant portal',
    accountPage: 'the Fawry merchant portal',
    goLive: 'use the live merchant code, and remove FAWRY_BASE_URL',
    webhookPage: null,
  },
}

type Checked = { readonly name: ProviderName; readonly account: Pick<Account, 'api'> }

export const guideOf = ({ name, account }: Checked): Guide => GUIDES[account.api ?? name]

export const baseUrlOf = (checked: Checked): string =>
  guideOf(checked).baseUrl ?? `${MARKETS[checked.name].prefix}BASE_URL`

/** The names of variables as a list in a sentence, with the suffix of the account. */
export function namesOf(names: readonly string[], suffix: string): string {
  const full = names.map((name) => `${name}${suffix}`)
  const last = full.at(-1) ?? ''
  return full.length > 1 ? `${full.slice(0, -1).join(', ')} and ${last}` : last
}
