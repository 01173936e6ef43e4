// The messages of the review rules for secrets. Their formats are in the shared table.
import type { Confidence, Severity } from '../rule.ts'

export type SecretRule = {
  readonly id: string
  readonly title: string
  readonly severity: Severity
  readonly confidence: Confidence
  readonly grantsAccessTo: string
  /** Also reported in tests and examples, because it gives real access. */
  readonly isLive: boolean
}

const live = { severity: 'error', confidence: 'high', isLive: true } as const
const likely = { severity: 'warn', confidence: 'medium', isLive: false } as const

export const SECRET_RULES: readonly SecretRule[] = [
  {
    ...live,
    id: 'SEC-PAYSTACK-LIVE',
    title: 'Live Paystack secret key',
    grantsAccessTo: 'your Paystack account: charges, transfers and customers',
  },
  {
    ...live,
    id: 'SEC-PAYSTACK-TEST',
    title: 'Paystack test key in the source',
    severity: 'warn',
    isLive: false,
    grantsAccessTo: 'your Paystack test account, and the live key is often added in the same place later',
  },
  {
    ...live,
    id: 'SEC-FLW-LIVE',
    title: 'Live Flutterwave secret key',
    grantsAccessTo: 'your Flutterwave account: charges, payouts and customers',
  },
  {
    ...live,
    id: 'SEC-FLW-TEST',
    title: 'Flutterwave test key in the source',
    severity: 'warn',
    isLive: false,
    grantsAccessTo: 'your Flutterwave test account, and the live key is often added in the same place later',
  },
  {
    ...live,
    id: 'SEC-STRIPE',
    title: 'Live payment key',
    grantsAccessTo: 'the payment account it belongs to (Stripe, Korapay and others use this key format)',
  },
  {
    ...likely,
    id: 'SEC-NG-GW',
    title: 'Key of a payment or identity provider in the source',
    grantsAccessTo: 'your account with that provider',
  },
  {
    ...live,
    id: 'SEC-AFRICASTALKING',
    title: 'Africa’s Talking key',
    grantsAccessTo: 'your Africa’s Talking account: messages and airtime',
  },
  { ...live, id: 'SEC-AWS', title: 'AWS access key', grantsAccessTo: 'the AWS account it belongs to' },
  {
    ...likely,
    id: 'SEC-GCP',
    title: 'Google API key',
    grantsAccessTo: 'the Google project it belongs to, unless the key is restricted to browser use',
  },
  {
    ...live,
    id: 'SEC-GITHUB',
    title: 'GitHub token',
    grantsAccessTo: 'the repositories of the account that created it',
  },
  { ...live, id: 'SEC-TOKEN', title: 'Service token', grantsAccessTo: 'the account it belongs to' },
  {
    ...live,
    id: 'SEC-AZURE',
    title: 'Azure storage key',
    grantsAccessTo: 'the storage account it belongs to',
  },
  {
    ...live,
    id: 'SEC-PEM',
    title: 'Private key in the source',
    grantsAccessTo: 'everything that trusts the key: servers, tokens, signatures',
    isLive: false,
  },
  {
    ...live,
    id: 'SEC-DBURL',
    title: 'Password in a URL',
    severity: 'warn',
    isLive: false,
    grantsAccessTo: 'the server in that URL',
  },
  {
    ...likely,
    id: 'SEC-GENERIC',
    title: 'Value that looks like a secret',
    severity: 'note',
    grantsAccessTo: 'whatever it opens',
  },
]
