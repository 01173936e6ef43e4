import { expect, test } from 'vitest'
import { highlightMatches, searchTerms } from './match-highlights.ts'

test('all words of a question are highlighted, the longest first', () => {
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

test('regular expression characters are not words, and the line is complete', () => {
  expect(searchTerms('.* $& [a-z]+ \\w')).toEqual([])
  expect(highlightMatches('a.*b', [])).toEqual([{ text: 'a.*b', isFound: false }])
})
