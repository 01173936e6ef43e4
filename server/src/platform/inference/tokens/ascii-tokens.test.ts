import { createRequire } from 'node:module'
import { seeded } from '@cowrie/testkit/harness/seeded.ts'
import { rounds } from '@cowrie/testkit/harness/soak.ts'
import type * as Tokenizer from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { ENCODING_MODULE } from '../tokenizer-module.ts'
import { countByPieces } from './ascii-tokens.ts'

const { countTokens } = createRequire(import.meta.url)(ENCODING_MODULE) as typeof Tokenizer
const PLAIN = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }
const ROUNDS = rounds(400, 2_000)
const count = (text: string): number => countTokens(text, PLAIN)

test.for<[string, string]>([
  ['ASCII', " \t\n\r\v\f'sSdlLvVeErRtTmM09/aZ_-.<|endoftext|>\0\x1f\x7f"],
  ['mixed', " \n\n\n\r\n/'sTaZ_-0›—éΩ\u2028漢"],
])('random %s text has the count of the tokenizer', ([, signs]) => {
  const random = seeded(19)
  for (let round = 0; round < ROUNDS; round++) {
    const text = Array.from({ length: 24 }, () => signs[Math.floor(random() * signs.length)]).join('')
    expect([text, countByPieces(text, count)]).toEqual([text, count(text)])
  }
})
