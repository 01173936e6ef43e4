// Ozow's hashes: values in a fixed order, our private key behind them, all in small letters, SHA-512 in hex.
import { hash } from 'node:crypto'
import { sameSecret } from '../../../platform/secrets.ts'

// The order is Ozow's. What is not sent is not hashed.
const REQUEST_FIELDS = [
  'SiteCode',
  'CountryCode',
  'CurrencyCode',
  'Amount',
  'TransactionReference',
  'BankReference',
  'CancelUrl',
  'ErrorUrl',
  'SuccessUrl',
  'NotifyUrl',
  'IsTest',
  'SelectedBankId',
] as const
const MESSAGE_FIELDS = [
  'SiteCode',
  'TransactionId',
  'TransactionReference',
  'Amount',
  'Status',
  'Optional1',
  'Optional2',
  'Optional3',
  'Optional4',
  'Optional5',
  'CurrencyCode',
  'IsTest',
  'StatusMessage',
] as const

/** What we ask Ozow for, each value exactly as it is sent. */
export type OzowRequest = Readonly<
  Record<Exclude<(typeof REQUEST_FIELDS)[number], 'SelectedBankId'>, string> & { SelectedBankId?: string }
>

export const requestHash = (request: OzowRequest, privateKey: string): string =>
  digest(
    REQUEST_FIELDS.map((name) => request[name] ?? ''),
    privateKey,
  )

export const messageHash = (message: URLSearchParams, privateKey: string): string =>
  digest(
    MESSAGE_FIELDS.map((name) => message.get(name) ?? ''),
    privateKey,
  )

/** Whether two hashes are one. Ozow's leave their leading zeros out at times. */
export function sameHash(given: string, expected: string): boolean {
  return /^[0-9a-f]{1,128}$/i.test(given) && sameSecret(bare(given), bare(expected))
}

const bare = (text: string): string => text.toLowerCase().replace(/^0+/, '')

const digest = (values: readonly string[], privateKey: string): string =>
  hash('sha512', `${values.join('')}${privateKey}`.toLowerCase())
