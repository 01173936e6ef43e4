// The tax rates included in our prices, by country and start date. Add a new rate and never edit one: issued
// invoices keep their rate.

export type TaxPart = {
  readonly name: string
  /** Relative to the price without tax, in hundredths of a percent. */
  readonly rateBps: number
}
export type TaxRate = {
  readonly country: string
  /** The first day of the rate, in UTC. */
  readonly from: string
  readonly parts: readonly TaxPart[]
  /** The legal source. */
  readonly source: string
}

const vat = (rateBps: number): readonly TaxPart[] => [{ name: 'VAT', rateBps }]

export const TAX_RATES: readonly TaxRate[] = [
  {
    country: 'NG',
    from: '2020-02-01',
    parts: vat(750),
    source: 'Finance Act 2019; kept by the Nigeria Tax Act 2025, in force since 1 January 2026',
  },
  {
    country: 'KE',
    from: '2021-01-01',
    parts: vat(1600),
    source: 'Value Added Tax Act, standard rate',
  },
  {
    country: 'ZA',
    from: '2018-04-01',
    parts: vat(1500),
    source: 'Value-Added Tax Act, standard rate',
  },
  {
    country: 'EG',
    from: '2017-07-01',
    parts: vat(1400),
    source: 'Value Added Tax Law 67 of 2016',
  },
  {
    country: 'GH',
    from: '2021-05-01',
    // VAT applied to the price plus levies: 15 % of 106 %.
    parts: [
      { name: 'VAT (15% on price and levies)', rateBps: 1590 },
      { name: 'NHIL', rateBps: 250 },
      { name: 'GETFund', rateBps: 250 },
      { name: 'COVID-19 levy', rateBps: 100 },
    ],
    source: 'Value Added Tax Act 870 with the levies of Acts 971, 972 and 1068',
  },
  {
    country: 'GH',
    from: '2026-01-01',
    parts: [
      { name: 'VAT', rateBps: 1500 },
      { name: 'NHIL', rateBps: 250 },
      { name: 'GETFund', rateBps: 250 },
    ],
    source: 'Value Added Tax Act 2025 (Act 1151): all three on the same price, COVID-19 levy abolished',
  },
  {
    country: 'UG',
    from: '2005-07-01',
    parts: vat(1800),
    source: 'Value Added Tax Act, standard rate',
  },
  {
    country: 'TZ',
    from: '2009-07-01',
    parts: vat(1800),
    source:
      'Value Added Tax Act, standard rate; a lower rate for electronic payments was announced and postponed',
  },
  {
    country: 'RW',
    from: '2001-07-01',
    parts: vat(1800),
    source: 'Value added tax law, standard rate',
  },
  {
    country: 'ZM',
    from: '2008-04-01',
    parts: vat(1600),
    source: 'Value Added Tax Act, standard rate',
  },
  {
    country: 'CI',
    from: '2024-04-01',
    parts: vat(1800),
    source: 'General Tax Code, standard rate; simplified regime for digital services, businesses included',
  },
  {
    country: 'BJ',
    from: '2023-10-01',
    parts: vat(1800),
    source: 'General Tax Code, standard rate; regime for digital services',
  },
  {
    country: 'SN',
    from: '2024-07-01',
    parts: vat(1800),
    source: 'General Tax Code, standard rate; regime for digital services',
  },
  {
    country: 'CM',
    from: '2020-01-01',
    parts: vat(1925),
    source: 'General Tax Code, 17.5% with the councils’ tenth on top; digital services, businesses included',
  },
]
