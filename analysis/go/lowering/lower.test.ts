import { showAll } from '@cowrie/testkit/analysis/program-text.ts'
import { expect, test } from 'vitest'
import { grammarFor } from '../../syntax/grammars.ts'
import { parseTree } from '../../syntax/tree.ts'
import { lower } from './lower.ts'

async function read(body: string): Promise<string[]> {
  const grammar = await grammarFor('a.go')
  if (grammar === 'unavailable') throw new Error('there is no grammar for Go')
  const tree = parseTree(grammar, `package app\n${body}`, { msMax: 2_000 })
  if (!tree) throw new Error('it took too long')
  return showAll(lower(tree).body)
}

const inFunction = async (body: string): Promise<string> => {
  const [text] = await read(`func f() {\n${body}\n}`)
  return (text ?? '').replace(/^function f\(\) \{ | \}$/g, '')
}

test('several values are assigned to several names, and an error is untainted', async () => {
  expect(await inFunction('a, b := 1, "x"')).toBe('let [a, b] = [1, "x"]')
  expect(await inFunction('rows, err := db.Query(q)')).toBe('let [rows, _] = db.Query(q); let err = other')
  expect(await inFunction('err := tx.Commit()')).toBe('let err = void tx.Commit()')
  expect(await inFunction('v, ok := m[k]')).toBe('let v = m[k]; let ok = (k in m)')
})

test('functions return lists, and a bare return returns the named results', async () => {
  const [text] = await read(
    'func f(a, b string, rest ...int) (n int, err error) {\n\tif a == b {\n\t\treturn\n\t}\n\treturn 1, nil\n}',
  )
  expect(text).toBe(
    'function f(a b rest) { let n = -; let err = -; if (a === b) { return [n, err] } {  }; return [1, null] }',
  )
})

test('methods belong to the type of their receiver, whatever its name', async () => {
  const [text] = await read(
    'type Server struct {\n\tdb *sql.DB\n\tBase\n}\nfunc (s *Server) Get() { s.db.Ping() }',
  )
  expect(text).toBe('class Server [Base] db Get { let s = this; s.db.Ping() }')
})

test('literals keep their fields, and inspected types become constructor calls', async () => {
  expect(await inFunction('x = &User{Name: n}')).toBe('x = <User>{"Name": n}')
  expect(await inFunction('x = &tls.Config{InsecureSkipVerify: true}')).toBe(
    'x = new tls.Config({"InsecureSkipVerify": true})',
  )
  expect(await inFunction('x = map[string]int{k: 1}')).toBe('x = <map[string]int>{k: 1}')
  expect(await inFunction('x = []Point{{X: 1}, {X: 2}}')).toBe('x = <[]Point>[{"X": 1}, {"X": 2}]')
})

test('a decoded value is assigned to its variable', async () => {
  expect(await inFunction('json.NewDecoder(r.Body).Decode(&in)')).toBe(
    'in = json.NewDecoder(r.Body).Decode(in)',
  )
  expect(await inFunction('c.ShouldBindJSON(&in)')).toBe('in = c.ShouldBindJSON(in)')
  expect(await inFunction('rows.Scan(&in)')).toBe('rows.Scan(in)')
})

test('loops, switches and type switches', async () => {
  expect(await inFunction('for k, v := range m { use(k, v) }')).toBe('loop k v m - { use(k, v) }')
  expect(await inFunction('for i := 0; i < 3; i++ {}')).toBe('loop - - - (i < 3) {  }')
  expect(await inFunction('switch x { case 1, 2: a(); default: b() }')).toBe(
    'switch x [1 2] { a() } [] { b() }',
  )
  expect(await inFunction('switch v := x.(type) { case int: use(v) }')).toBe(
    'switch - [other] { let v = <int>x; use(v) }',
  )
  expect(await inFunction('if err := f(); err != nil { return }')).toBe(
    '{ let err = void f(); if (err !== null) { return - } {  } }',
  )
})

test('strings and bytes are alike, number conversions are calls, and string literals are decoded', async () => {
  expect(await inFunction('x := string([]byte("a\\tb\\u00e9"))')).toBe('let x = "a\\tbé"')
  expect(await inFunction('x := int32(`4`)')).toBe('let x = int32("4")')
  expect(await inFunction('x := s[1:2]')).toBe('let x = s[slice]')
})

test('imports have their conventional name, and constants count', async () => {
  expect(
    await read('import (\n\tr "math/rand"\n\t"github.com/labstack/echo/v4"\n)\nconst (\n\tA = iota\n\tB\n)'),
  ).toEqual(['import math/rand r', 'import github.com/labstack/echo/v4 echo', 'let A = 0', 'let B = 1'])
})

test('a text that is not Go is lowered as far as possible', async () => {
  await expect(read('func f( { := ]] if')).resolves.toBeInstanceOf(Array)
})
