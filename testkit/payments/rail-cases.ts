// A payment per channel and currency, and the amount that its provider must receive.
import { present } from '@cowrie/server/src/kernel/assert.ts'
import type { Currency } from '@cowrie/server/src/kernel/money.ts'
import { type ChannelName, channels } from '@cowrie/server/src/payments/channels.ts'
import { DEFAULT_MARKET, type Market } from './rails-world.ts'

export type RailCase = readonly [
  channel: ChannelName,
  currency: Currency,
  amountMinor: bigint,
  providerAmount: string,
  providerCurrency?: string,
]

export const RAIL_CASES: readonly RailCase[] = [
  ['card', 'NGN', 1_500_50n, '150050'],
  ['card', 'GHS', 10_05n, '1005'],
  ['card', 'KES', 300_00n, '30000'],
  ['card', 'ZAR', 99_99n, '9999'],
  ['card', 'XOF', 1_500n, '150000'],
  ['card', 'USD', 25_00n, '2500'],
  ['ussd', 'NGN', 2_000_00n, '200000'],
  ['telecel_cash', 'GHS', 12_34n, '1234'],
  ['airteltigo', 'GHS', 50_00n, '5000'],
  ['mpesa', 'KES', 1_500_00n, '1500'],
  ['mtn_momo', 'UGX', 5_000n, '5000'],
  ['opay', 'NGN', 1_500_50n, '150050'],
  ['palmpay', 'NGN', 1_500_50n, '150050'],
  ['ozow', 'ZAR', 150_05n, '150.05'],
  ['payshap', 'ZAR', 20_00n, '20.00'],
  ['fawry', 'EGP', 150_50n, '150.50'],
  ['flutterwave', 'NGN', 1_500_50n, '1500.5'],
  ['flutterwave', 'GHS', 10_05n, '10.05'],
  ['flutterwave', 'KES', 300_00n, '300'],
  ['flutterwave', 'UGX', 5_000n, '5000'],
  ['flutterwave', 'TZS', 5_000_00n, '5000'],
  ['flutterwave', 'RWF', 1_200n, '1200'],
  ['flutterwave', 'ZAR', 99_99n, '99.99'],
  ['flutterwave', 'ZMW', 40_20n, '40.2'],
  ['flutterwave', 'XOF', 1_500n, '1500'],
  ['flutterwave', 'XAF', 1_500n, '1500'],
  ['flutterwave', 'EGP', 150_50n, '150.5'],
  ['flutterwave', 'USD', 25_00n, '25'],
]
export const OTHER_MARKETS: readonly (readonly [Market, ...RailCase[]])[] = [
  [
    { target: 'mtnghana', currency: 'GHS', opay: 'EG' },
    ['mtn_momo', 'GHS', 12_34n, '12.34'],
    ['opay', 'EGP', 150_50n, '15050'],
  ],
  [{ ...DEFAULT_MARKET, target: 'mtnivorycoast', currency: 'XOF' }, ['mtn_momo', 'XOF', 1_500n, '1500']],
  [{ ...DEFAULT_MARKET, target: 'mtncameroon', currency: 'XAF' }, ['mtn_momo', 'XAF', 1_500n, '1500']],
  [{ ...DEFAULT_MARKET, target: 'mtnrwanda', currency: 'RWF' }, ['mtn_momo', 'RWF', 1_200n, '1200']],
  [{ ...DEFAULT_MARKET, target: 'mtnzambia', currency: 'ZMW' }, ['mtn_momo', 'ZMW', 40_20n, '40.20']],
  [{ ...DEFAULT_MARKET, target: 'mtnguineaconakry', currency: 'GNF' }, ['mtn_momo', 'GNF', 15_000n, '15000']],
]
/** The first case of each channel. */
export const ONE_PER_CHANNEL = channels.map(({ name }) =>
  present(
    RAIL_CASES.find(([channel]) => channel === name),
    `${name} has a case`,
  ),
)
