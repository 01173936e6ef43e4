import { expect, test } from 'vitest'
import { currencies } from '../../../../server/src/kernel/money.ts'
import { CURRENCY_OF, countries, likelyCountry } from './countries.ts'

test('exactly the wallet currencies have countries', () => {
  expect(new Set(Object.values(CURRENCY_OF))).toEqual(new Set(currencies))
})

test('countries are listed by their names in the reader’s language', () => {
  expect(countries('en').map(({ name }) => name)).toEqual(
    countries('en')
      .map(({ name }) => name)
      .sort(),
  )
  expect(countries('fr')).toContainEqual({ code: 'ZA', name: 'Afrique du Sud' })
})

test.for([
  [['en-KE', 'sw'], 'KE'],
  [['fr-FR', 'fr-SN'], 'SN'],
  [['en', 'de-DE'], 'NG'],
  [[], 'NG'],
] as const)('readers of %j are likely in %s', ([languages, country]) => {
  expect(likelyCountry(languages)).toBe(country)
})
