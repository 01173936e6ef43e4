import { expect, test } from 'vitest'
import { registrableDomain } from './registrable-domain.ts'

test.for([
  ['https://www.nation.co.ke/x', 'nation.co.ke'],
  ['https://www.bbc.co.uk/news', 'bbc.co.uk'],
  ['https://docs.github.com', 'github.com'],
  ['https://a.b.example.org/', 'example.org'],
  ['https://stats.gov.ng./', 'stats.gov.ng'],
  ['https://ada.github.io/', 'ada.github.io'],
  ['https://en.wikipedia.org/wiki/Maize', 'wikipedia.org'],
  ['http://93.184.216.34/x', '93.184.216.34'],
  ['http://127.0.0.1:8080/a', '127.0.0.1:8080'],
  ['http://[::1]:81/a', '[::1]:81'],
  ['https://localhost/', 'localhost'],
  ['nonsense', ''],
])('%s is a page of %s', ([url = '', domain]) => {
  expect(registrableDomain(url)).toBe(domain)
})
