// The currencies of wallets, for those who look at more than their own: `/me` describes only that one.
import { type Currency, formatMoney } from '../../i18n/money.ts'

const KNOWN: Readonly<Record<string, readonly [symbol: string, minorUnit: number]>> = {
  NGN: ['₦', 100],
  KES: ['KSh', 100],
  GHS: ['GH₵', 100],
  ZAR: ['R', 100],
  EGP: ['E£', 100],
  UGX: ['USh', 1],
  XOF: ['CFA', 1],
  XAF: ['FCFA', 1],
  RWF: ['FRw', 1],
  TZS: ['TSh', 100],
  ZMW: ['K', 100],
  GNF: ['FG', 1],
  USD: ['$', 100],
}

/** One that a newer service has is written by its code, in minor units: unusual, and never wrong by a factor. */
export function currencyOf(code: string): Currency {
  const [symbol, minorUnit] = KNOWN[code] ?? [`${code} (minor)`, 1]
  return { code, symbol, minorUnit, minorName: '' }
}

/** An amount of a currency that is known by its code only. */
export const moneyIn = (minor: bigint, code: string): string => formatMoney(minor, currencyOf(code))
