import { describe, expect, test } from 'vitest'
import { ApiError } from '../../kernel/errors.ts'
import { parseFilter } from './filter.ts'
import { booleanOf, changesOf } from './patch.ts'

const NAMES = ['userName', 'externalId', 'emails.value'] as const
const typeOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error instanceof ApiError ? error.detail.scimType : error
  }
}

describe('a filter', () => {
  test.for<[string, object]>([
    ['userName eq "ada@example.com"', { userName: 'ada@example.com' }],
    ['USERNAME EQ "x"', { userName: 'x' }],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "x"', { userName: 'x' }],
    ['emails[type eq "work"].value eq "a@b.c"', { 'emails.value': 'a@b.c' }],
    ['emails eq "a@b.c"', { 'emails.value': 'a@b.c' }],
    ['externalId eq "a \\"b\\" and c" and userName eq "x"', { externalId: 'a "b" and c', userName: 'x' }],
  ])('%s is read', ([filter, wanted]) => {
    expect(parseFilter(filter, NAMES)).toEqual(wanted)
  })

  test.for([
    '',
    ' ',
    'userName',
    'userName eq',
    'userName eq x',
    'userName eq "x',
    'userName eq "x" and',
    'userName eq "x" or externalId eq "y"',
    'userName co "x"',
    'userName pr',
    'not (userName eq "x")',
    'password eq "x"',
    'userName eq "x" and userName eq "y"',
    'userName eq "\\u0000"',
    'userName eq "\\ud800"',
    "userName eq 'x'",
    'userName eq "x"; drop table users',
    `userName eq "${'x'.repeat(1_000)}"`,
    `${' '.repeat(900)}x`,
  ])('%j is refused as invalid', (filter) => {
    expect(typeOf(() => parseFilter(filter, NAMES))).toBe('invalidFilter')
  })

  test('of hostile length ends at once', () => {
    const started = performance.now()
    for (const part of ['userName eq "x" and ', 'a.', '[', '"\\', 'emails[type eq "'])
      expect(typeOf(() => parseFilter(part.repeat(200).slice(0, 1_000), NAMES))).toBe('invalidFilter')
    expect(performance.now() - started).toBeLessThan(200)
  })
})

describe('a patch', () => {
  test.for<[string, object, object[]]>([
    ['a path', { op: 'Replace', path: 'active', value: 'False' }, [['replace', 'active', 'False']]],
    [
      'the path of a nested attribute with its schema',
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:name.givenName', value: 'Ada' },
      [['add', 'name.givenname', 'Ada']],
    ],
    [
      'the path of all parts of a name',
      { op: 'replace', path: 'name', value: { givenName: 'Ada', familyName: 'L' } },
      [
        ['replace', 'name.givenname', 'Ada'],
        ['replace', 'name.familyname', 'L'],
      ],
    ],
    [
      'no path, and dotted names',
      { op: 'replace', value: { active: false, 'name.familyName': 'L', name: { givenName: 'A' } } },
      [
        ['replace', 'active', false],
        ['replace', 'name.familyname', 'L'],
        ['replace', 'name.givenname', 'A'],
      ],
    ],
  ])('with %s is read', ([, operation, wanted]) => {
    const changes = changesOf([operation as { op: string }])
    expect(changes.map(({ op, attribute, value }) => [op, attribute, value])).toEqual(wanted)
  })

  test('selects a member by value', () => {
    const [change] = changesOf([{ op: 'remove', path: 'members[value eq "usr_1"]' }])
    expect(change).toMatchObject({ attribute: 'members', selected: 'usr_1' })
  })

  test.for<[string, object]>([
    ['invalidSyntax', { op: 'move', path: 'active' }],
    ['noTarget', { op: 'remove' }],
    ['invalidValue', { op: 'replace', value: 'x' }],
    ['invalidPath', { op: 'replace', path: 'a b', value: 'x' }],
    ['invalidPath', { op: 'remove', path: 'members[value co "x"]' }],
  ])('is refused with %s: %j', ([wanted, operation]) => {
    expect(typeOf(() => changesOf([operation as { op: string }]))).toBe(wanted)
  })

  test('reads booleans that are texts, and refuses others', () => {
    expect([true, 'True', 'true', false, 'False'].map((each) => booleanOf(each, 'active'))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    for (const value of ['', 'no', 1, null, {}])
      expect(typeOf(() => booleanOf(value, 'active'))).toBe('invalidValue')
  })
})
