// What review says about each kind of secret. Their formats are in the shared table.
import type { Confidence, Severity } from '../rule.ts'

export type SecretRule = {
  readonly id: string
  readonly title: string
  readonly severity: Severity
  readonly confidence: Confidence
  readonly whose: string
  /** Reported in tests and examples as well: it opens something real. */
  readonly isLive: boolean
}

const live = { severity: 'error', confidence: 'high', isLive: true } as const
const likely = { severity: 'warn', confidence: 'medium', isLive: false } as const

export const SECRET_RULES: readonly SecretRule[] = [
  {
    ...live,
    id: 'SEC-PAYSTACK-LIVE',
    title: 'Live Paystack secret key',
    whose: 'your Paystack account: charges, transfers and customers',
  },
  {
    ...live,
    id: 'SEC-PAYSTACK-TEST',
    title: 'Paystack test key in the source',
    severity: 'warn',
    isLive: false,
    whose: 'your Paystack test account, and a place where the live key will land next',
  },
  {
    ...live,
    id: 'SEC-FLW-LIVE',
    title: 'Live Flutterwave secret key',
    whose: 'your Flutterwave account: charges, payouts and customers',
  },
  {
    ...live,
    id: 'SEC-FLW-TEST',
    title: 'Flutterwave test key in the source',
    severity: 'warn',
    isLive: false,
    whose: 'your Flutterwave test account, and a place where the live key will land next',
  },
  {
    ...live,
    id: 'SEC-STRIPE',
    title: 'Live payment key',
    whose: 'the payment account it belongs to (Stripe, Korapay and others write keys like this)',
  },
  {
    ...likely,
    id: 'SEC-NG-GW',
    title: 'Key of a payment or identity provider in the source',
    whose: 'your account with that provider',
  },
  {
    ...live,
    id: 'SEC-AFRICASTALKING',
    title: 'Africa’s Talking key',
    whose: 'your Africa’s Talking account: messages and airtime',
  },
  { ...live, id: 'SEC-AWS', title: 'AWS access key', whose: 'the AWS account it belongs to' },
  {
    ...likely,
    id: 'SEC-GCP',
    title: 'Google API key',
    whose: 'the Google project it belongs to; harmless only where it is restricted to what a browser may do',
  },
  { ...live, id: 'SEC-GITHUB', title: 'GitHub token', whose: 'the repositories of whoever made it' },
  { ...live, id: 'SEC-TOKEN', title: 'Token of a service', whose: 'the account it belongs to' },
  { ...live, id: 'SEC-AZURE', title: 'Azure storage key', whose: 'the storage account it belongs to' },
  {
    ...live,
    id: 'SEC-PEM',
    title: 'Private key in the source',
    whose: 'whatever trusts the key: servers, tokens, signatures',
    isLive: false,
  },
  {
    ...live,
    id: 'SEC-DBURL',
    title: 'Password in an address',
    severity: 'warn',
    isLive: false,
    whose: 'the server of that address',
  },
  {
    ...likely,
    id: 'SEC-GENERIC',
    title: 'Something that looks like a secret',
    severity: 'note',
    whose: 'whatever it opens',
  },
]
