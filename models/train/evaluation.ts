// Evaluation pairs available on every clone: documented functions of installed packages that are not in the
// training data.
import { join } from 'node:path'
import { pairsBelow } from './mining/mine.ts'
import type { Pair } from './mining/pair.ts'

export type EvaluationSet = { readonly name: string; readonly pairs: Pair[] }

const PAIRS_MAX = 400
const MODULES = join(import.meta.dirname, '../../node_modules')

/** The source folders of a package, one of its published forms. */
const INSTALLED: readonly { readonly name: string; readonly within: string; readonly only?: RegExp }[] = [
  { name: 'lodash', within: '', only: /^lodash\.js$/ },
  { name: 'undici', within: 'lib' },
  { name: 'nodemailer', within: 'dist' },
  { name: 'openai', within: 'src' },
  { name: 'async', within: '', only: /^[^/]+\.js$/ },
  { name: 'winston', within: 'lib' },
  { name: 'fast-check', within: 'lib' },
  { name: '@noble/hashes', within: 'src' },
  { name: 'koa', within: 'lib' },
]

export const installedSets = (): EvaluationSet[] =>
  INSTALLED.map(({ name, within, only }) => {
    const pairs = pairsBelow(join(MODULES, name, within), (path) => only?.test(path) ?? true)
    return { name, pairs: pairs.slice(0, PAIRS_MAX) }
  })
