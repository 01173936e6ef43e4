// Requests to the review bot in comments.
import { expect, test } from 'vitest'
import { parseReplyCommand } from './command.ts'

test.for([
  ['@cowrie explain', { kind: 'explain' }],
  ['@cowrie[bot]: Why is this a problem?', { kind: 'explain' }],
  ['@cowrie dismiss', { kind: 'dismiss', reason: '' }],
  ['Hm. @cowrie dismiss: only admins\ncan call it', { kind: 'dismiss', reason: 'only admins can call it' }],
  ['@cowrie false positive because it is a test', { kind: 'dismiss', reason: 'it is a test' }],
  ['@cowrie re-check', { kind: 'recheck' }],
  ['@cowrie recheck please', { kind: 'recheck' }],
  ['@cowrie summary', { kind: 'summary' }],
  ['@cowrie summarise this pull request.', { kind: 'summary' }],
  ['> @cowrie explain', null],
  ['`@cowrie explain`', null],
  ['explain', null],
  ['@cowrie fix this', null],
] as const)('%j in a thread asks for %j', ([text, expected]) => {
  expect(parseReplyCommand(text, true)).toEqual(expected)
})

test.for([
  ['@cowrie explain the build', null],
  ['@cowrie dismiss it', null],
  ['@cowrie summarise the changes and add a changelog', null],
  ['@cowrie recheck', { kind: 'recheck' }],
  ['@cowrie summarize the changes', { kind: 'summary' }],
] as const)('%j in the conversation asks for %j', ([text, expected]) => {
  expect(parseReplyCommand(text, false)).toEqual(expected)
})
