import { expect, test } from 'vitest'
import { questionLanguage } from './question-language.ts'

test.for([
  ['What fees do mobile money agents pay in Kenya?', 'en'],
  ['What is La Poste?', 'en'],
  ['Compare MTN and Orange', 'en'],
  ['Quel opérateur domine Dakar ?', 'fr'],
  ['Combien coûte Wave au Sénégal ?', 'fr'],
  ["Qu'est-ce que le mobile money ?", 'fr'],
  ['Je, ada za M-Pesa ni kiasi gani?', 'sw'],
  ['Nani anamiliki Safaricom?', 'sw'],
  ['كم رسوم فوري؟', 'ar'],
  ['ما هي رسوم Vodafone Cash في مصر؟', 'ar'],
  ['Quais são os custos do M-Pesa em Moçambique?', 'en'],
  ['¿Cuánto cuesta el dinero móvil?', 'en'],
  ['موبایل پیسے کی فیس کیا ہے؟', 'en'],
  ['M-Pesa 2024', null],
  ['', null],
] as const)('the report on "%s" is written in %s', ([question, language]) => {
  expect(questionLanguage(question)).toBe(language)
})
