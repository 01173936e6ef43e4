// Ozow's hashes: SHA-512 over values in a fixed order and the private key, all in lowercase.
import { hash } from 'node:crypto'
import { secretsEqual } from '../../../platform/secrets.ts'

// In Ozow's order. Fields that are not sent are not hashed.
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

/** A payment request, with each value exactly as sent. */
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

/** Compares hashes. Ozow sometimes omits leading zeros. */
export function sameHash(actual: string, expected: string): boolean {
  return /^[0-9a-f]{1,128}$/i.test(actual) && secretsEqual(bare(actual), bare(expected))
}

const bare = (text: string): string => text.toLowerCase().replace(/^0+/, '')

const digest = (values: readonly string[], privateKey: string): string =>
  hash('sha512', `${values.join('')}${privateKey}`.toLowerCase())
