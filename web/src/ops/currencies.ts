// Currencies by code: figures about other organisations name only that.
import { type Currency, formatMoney } from '../money.ts'

const SYMBOLS: Readonly<Record<string, string>> = {
  NGN: '₦',
  KES: 'KSh',
  GHS: 'GH₵',
  ZAR: 'R',
  EGP: 'E£',
  UGX: 'USh',
  XOF: 'CFA',
  XAF: 'FCFA',
  RWF: 'FRw',
  TZS: 'TSh',
  ZMW: 'K',
  GNF: 'FG',
  USD: '$',
}
const WITHOUT_CENTS = new Set(['UGX', 'XOF', 'XAF', 'RWF', 'GNF'])

export const currencyOf = (code: string): Currency => ({
  code,
  symbol: SYMBOLS[code] ?? code,
  minorUnit: WITHOUT_CENTS.has(code) ? 1 : 100,
  minorName: '',
})

export const moneyIn = (minor: bigint, code: string): string => formatMoney(minor, currencyOf(code))
