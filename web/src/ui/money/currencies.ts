// The currencies of wallets. `/me` describes only the user's own.
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

/** An unknown currency is written with its code in minor units: unusual, but never wrong by a factor. */
export function currencyOf(code: string): Currency {
  const [symbol, minorUnit] = KNOWN[code] ?? [`${code} (minor)`, 1]
  return { code, symbol, minorUnit, minorName: '' }
}

/** Formats an amount whose currency is known by code only. */
export const moneyIn = (minor: bigint, code: string): string => formatMoney(minor, currencyOf(code))
