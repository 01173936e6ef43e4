import { expect, test } from 'vitest'
import { highlightMatches, searchTerms } from './match-highlights.ts'

test('the words of a question are marked wherever they stand, the longest first', () => {
  const words = searchTerms('Where does the transferFunds of a fund go (really)?')
  expect(words).toEqual(['transferfunds', 'fund', 'really'])
  expect(highlightMatches('await transferFunds(fund)', words)).toEqual([
    { text: 'await ', isFound: false },
    { text: 'transferFunds', isFound: true },
    { text: '(', isFound: false },
    { text: 'fund', isFound: true },
    { text: ')', isFound: false },
  ])
})

test('signs of patterns are no words, and a line stays whole', () => {
  expect(searchTerms('.* $& [a-z]+ \\w')).toEqual([])
  expect(highlightMatches('a.*b', [])).toEqual([{ text: 'a.*b', isFound: false }])
})
