// The translations of the app: the shell, sign-in and everything about money are complete in each language.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { appTextsIn, areasOfApp, SHELL } from './app-texts.ts'

const WORDS = fileURLToPath(new URL('../words/', import.meta.url))
const LANGUAGES = ['fr', 'sw', 'ar']
const WHOLE = [
  'app',
  'sign-in',
  'identity',
  'tools',
  'settings',
  'home',
  'wallet',
  'usage',
  'billing',
  'team',
]

type Words = Record<string, string | Record<string, string>>

const foldersOf = (part: string): string[] => (part === 'app' ? SHELL : [`screens/${part}`])
const read = (language: string, part: string): Words =>
  readdirSync(`${WORDS}${language}`).includes(`${part}.json`)
    ? (JSON.parse(readFileSync(`${WORDS}${language}/${part}.json`, 'utf8')) as Words)
    : {}

test('every text can be read from the source', () => {
  expect(appTextsIn([...SHELL, ...areasOfApp().map((area) => `screens/${area}`)]).unread).toEqual([])
})

describe.for(LANGUAGES)('in %s', (language) => {
  test.for(WHOLE)('%s is complete', (part) => {
    const said = appTextsIn(foldersOf(part))
    const words = { ...read(language, 'app'), ...read(language, part) }
    expect([...said.plain].filter((sentence) => typeof words[sentence] !== 'string')).toEqual([])
    expect([...said.counted].filter((sentence) => typeof words[sentence] !== 'object')).toEqual([])
  })

  test('there are no unused translations, and placeholders match', () => {
    const faults: string[] = []
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    for (const file of readdirSync(`${WORDS}${language}`)) {
      const part = file.replace('.json', '')
      const said = appTextsIn(foldersOf(part))
      for (const [sentence, words] of Object.entries(read(language, part))) {
        const isSaid = (typeof words === 'string' ? said.plain : said.counted).has(sentence)
        if (!isSaid) faults.push(`${part}: "${sentence}" is not said`)
        const texts = typeof words === 'string' ? [words] : Object.values(words)
        if (typeof words === 'object' && forms.some((form) => words[form] === undefined))
          faults.push(`${part}: "${sentence}" lacks a form of ${forms.join(', ')}`)
        for (const text of texts)
          for (const name of new Set(sentence.match(/\{\w+\}/g)))
            if (!text.includes(name) && !(typeof words === 'object' && name === '{n}'))
              faults.push(`${part}: "${text}" lacks ${name}`)
      }
    }
    expect(faults).toEqual([])
  })
})
