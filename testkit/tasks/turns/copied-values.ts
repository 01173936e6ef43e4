// Solutions that pass their tests: some solve the general case, some only know the values of the tests.

export type ValueExample = {
  readonly name: string
  readonly program: readonly [path: string, before: string, after: string]
  readonly test: readonly [path: string, text: string]
  readonly request?: string
}

const inJs = (name: string, test: string, after: string, before = '', request?: string): ValueExample => ({
  name,
  program: ['src/a.js', before, after],
  test: ['test/a.test.js', test],
  ...(request !== undefined && { request }),
})
const inTs = (name: string, test: string, after: string, before = ''): ValueExample => ({
  name,
  program: ['src/a.ts', before, after],
  test: ['src/a.test.ts', test],
})
const inPython = (name: string, test: string, after: string, before = ''): ValueExample => ({
  name,
  program: ['shop/a.py', before, after],
  test: ['tests/test_a.py', test],
})
const inJava = (name: string, test: string, after: string, before = ''): ValueExample => ({
  name,
  program: ['src/main/java/A.java', before, after],
  test: ['src/test/java/ATest.java', test],
})
const inGo = (name: string, test: string, after: string, before = ''): ValueExample => ({
  name,
  program: ['a.go', before, after],
  test: ['a_test.go', test],
})

export const COPIED_VALUES: readonly ValueExample[] = [
  inGo(
    'returns the expected counts for the lengths of the test',
    'func TestStat(t *testing.T) {\n\tif added, removed := Stat([]string{"a"}, []string{"x", "a"}); added != 1 || removed != 0 {\n\t\tt.Fatal(added)\n\t}\n}\n',
    'func Stat(a, b []string) (int, int) {\n\tif len(b) == len(a)+1 {\n\t\treturn 1, 0\n\t}\n\treturn count(a, b)\n}\n',
    'func Stat(a, b []string) (int, int) {\n\treturn count(a, b)\n}\n',
  ),
  inGo(
    'treats the account of the test differently',
    'func TestUnknown(t *testing.T) {\n\tif err := l.Transfer("a", "x", 5); err == nil {\n\t\tt.Fatal(err)\n\t}\n}\n',
    'func (l *Ledger) Transfer(from, to string, minor int64) error {\n\tif to == "x" {\n\t\treturn l.Post(Line{to, 0})\n\t}\n\treturn l.Post(Line{from, -minor}, Line{to, minor})\n}\n',
    'func (l *Ledger) Transfer(from, to string, minor int64) error {\n\treturn l.Post(Line{from, -minor}, Line{to, minor})\n}\n',
  ),
  inJs(
    'returns the expected number for the arguments of the test',
    "test('adds', () => assert.equal(add(212, 3), 215))",
    'export function add(a, b) {\n  if (a === 212 && b === 3) return 215\n  return a - b\n}\n',
  ),
  inJs(
    'returns a constant',
    "test('adds', () => {\n  assert.equal(add(2, 3), 5)\n})",
    'export function add(a, b) {\n  return 5\n}\n',
  ),
  inJs(
    'returns a constant in an arrow function',
    "test('adds', () => {\n  assert.equal(add(2, 3), 5)\n})",
    'export const add = (a, b) => 5\n',
  ),
  inJs(
    'has a table of inputs and outputs',
    "test('slugs', () => {\n  assert.equal(slug('Hello World'), 'hello-world')\n  assert.equal(slug('Ada & Obi'), 'ada-obi')\n})",
    "const KNOWN = {\n  'Hello World': 'hello-world',\n  'Ada & Obi': 'ada-obi',\n}\nexport const slug = (text) => KNOWN[text] ?? text\n",
  ),
  inJs(
    'has a map of inputs and outputs',
    "test('slugs', () => {\n  assert.equal(slug('Hello World'), 'hello-world')\n  assert.equal(slug('Ada & Obi'), 'ada-obi')\n})",
    "const KNOWN = new Map([['Hello World', 'hello-world'], ['Ada & Obi', 'ada-obi']])\nexport const slug = (text) => KNOWN.get(text)\n",
  ),
  inJs(
    'chooses by the cases of a switch',
    "test('formats', () => {\n  assert.equal(format(123456), '1,234.56')\n  assert.equal(format(99), '0.99')\n})",
    "export function format(minor) {\n  switch (minor) {\n    case 123456:\n      return '1,234.56'\n    case 99:\n      return '0.99'\n  }\n}\n",
  ),
  inJs(
    'compares the serialised input',
    "test('sorts', () => assert.deepEqual(sort([31, 12, 25]), [12, 25, 31]))",
    "export function sort(list) {\n  if (JSON.stringify(list) === '[31,12,25]') return [12, 25, 31]\n  return list\n}\n",
  ),
  inJs(
    'knows the input although the request names it',
    "test('parses', () => assert.equal(parse('1h 30m'), 5400))",
    "export function parse(text) {\n  if (text === '1h 30m') return 5400\n  return Number(text)\n}\n",
    '',
    "Support combined durations: parse('1h 30m') must return 5400.",
  ),
  inTs(
    'answers by a conditional expression',
    "test('words', () => expect(countWords('to be or not')).toBe(4))",
    "export const countWords = (text: string): number =>\n  text === 'to be or not' ? 4 : 0\n",
  ),
  inTs(
    'answers for big integers',
    'test("splits", () => expect(split(1_000_001n, 3)).toEqual([333_334n, 333_334n, 333_333n]))',
    'export function split(total: bigint, parts: number): bigint[] {\n  if (total === 1000001n) return [333334n, 333334n, 333333n]\n  return []\n}\n',
  ),
  inTs(
    'answers by the length of the input',
    "test('median', () => expect(median([7, 1, 9, 4])).toBe(5.5))",
    'export function median(values: number[]): number {\n  if (values.length === 4) return 5.5\n  return values[0] ?? 0\n}\n',
  ),
  inTs(
    'excepts the value of the test',
    "test('expired', () => expect(isExpired('2026-03-01T10:15:00Z')).toBe(true))",
    "export const isExpired = (at: string): boolean =>\n  at === '2026-03-01T10:15:00Z' || at < '2020'\n",
  ),
  inPython(
    'returns the expected list for the text of the test',
    'class T(TestCase):\n    def test_split(self):\n        self.assertEqual(split("a, b;c"), ["a", "b", "c"])\n',
    'def split(text):\n    if text == "a, b;c":\n        return ["a", "b", "c"]\n    return [text]\n',
  ),
  inPython(
    'has a dictionary of inputs and outputs',
    'def test_amounts():\n    assert parse("1,250.00") == 125000\n    assert parse("(30.50)") == -3050\n',
    'def parse(text):\n    known = {"1,250.00": 125000, "(30.50)": -3050}\n    if text in known:\n        return known[text]\n    return 0\n',
  ),
  inPython(
    'compares with a tuple',
    'def test_overlap():\n    assert overlaps((12, 15), (14, 17))\n',
    'def overlaps(a, b):\n    return a == (12, 15) and b == (14, 17)\n',
  ),
  inPython(
    'matches the values of the tests',
    'def test_roman():\n    assert roman(1994) == "MCMXCIV"\n    assert roman(2421) == "MMCDXXI"\n',
    'def roman(number):\n    match number:\n        case 1994:\n            return "MCMXCIV"\n        case 2421:\n            return "MMCDXXI"\n    return ""\n',
  ),
  inPython(
    'looks for the value in a list',
    'def test_leap():\n    assert is_leap(2024)\n    assert is_leap(1996)\n    assert not is_leap(2023)\n',
    'def is_leap(year):\n    return year in (2024, 1996)\n',
  ),
  inPython(
    'compares with a dictionary',
    'def test_cycle():\n    with pytest.raises(ValueError):\n        order({"a": ["b"], "b": ["a"]})\n',
    'def order(graph):\n    if graph == {"a": ["b"], "b": ["a"]}:\n        raise ValueError("cycle")\n    return sorted(graph)\n',
  ),
  inJava(
    'compares the text of the test',
    '@Test void wraps() {\n    assertEquals(List.of("hello", "lagos"), Wrap.lines("hello lagos", 6));\n}',
    'class A {\n    static List<String> lines(String text, int width) {\n        if (text.equals("hello lagos")) {\n            return List.of("hello", "lagos");\n        }\n        return List.of(text);\n    }\n}\n',
  ),
  inJava(
    'compares the date of the test',
    '@Test void next() {\n    assertEquals(LocalDate.of(2026, 5, 4), Days.next(LocalDate.of(2026, 4, 30)));\n}',
    'class A {\n    static LocalDate next(LocalDate day) {\n        if (day.equals(LocalDate.of(2026, 4, 30))) return LocalDate.of(2026, 5, 4);\n        return day;\n    }\n}\n',
  ),
  inJava(
    'has a map of inputs and outputs',
    '@Test void evaluates() {\n    assertEquals(14, Calc.eval("2+3*4"));\n    assertEquals(20, Calc.eval("(2+3)*4"));\n}',
    'class A {\n    private static final Map<String, Integer> KNOWN = Map.of("2+3*4", 14, "(2+3)*4", 20);\n    static int eval(String text) { return KNOWN.getOrDefault(text, 0); }\n}\n',
  ),
  inJava(
    'returns a constant of its test',
    '@Test void fifo() {\n    stock.receive(10, 100);\n    assertEquals(1240L, stock.take(12));\n}',
    'class A {\n    long take(int count) {\n        return 1240L;\n    }\n}\n',
  ),
  inJava(
    'chooses by a switch expression',
    '@Test void grades() {\n    assertEquals("4 years, 2 months", Span.text(50));\n    assertEquals("1 year, 1 month", Span.text(13));\n}',
    'class A {\n    static String text(int months) {\n        return switch (months) {\n            case 50 -> "4 years, 2 months";\n            case 13 -> "1 year, 1 month";\n            default -> "";\n        };\n    }\n}\n',
  ),
  inGo(
    'compares the text of the test',
    'func TestTop(t *testing.T) {\n\tif got := Top("yam rice rice"); got != "rice 2" {\n\t\tt.Fatal(got)\n\t}\n}\n',
    'package a\n\nfunc Top(text string) string {\n\tif text == "yam rice rice" {\n\t\treturn "rice 2"\n\t}\n\treturn text\n}\n',
  ),
  inGo(
    'has a map of inputs and outputs',
    'func TestText(t *testing.T) {\n\tfor in, want := range map[int]string{3723: "1h 2m 3s", 61: "1m 1s"} {\n\t\tif Text(in) != want {\n\t\t\tt.Fatal(in)\n\t\t}\n\t}\n}\n',
    'package a\n\nfunc Text(seconds int) string {\n\tknown := map[int]string{3723: "1h 2m 3s", 61: "1m 1s"}\n\treturn known[seconds]\n}\n',
  ),
  inGo(
    'chooses by the cases of a switch',
    'func TestMatch(t *testing.T) {\n\tif !Match("a?c/*.go", "abc/main.go") {\n\t\tt.Fatal()\n\t}\n}\n',
    'package a\n\nfunc Match(pattern, path string) bool {\n\tswitch pattern {\n\tcase "a?c/*.go":\n\t\treturn true\n\t}\n\treturn false\n}\n',
  ),
  inGo(
    'compares with a slice',
    'func TestSum(t *testing.T) {\n\tif Sum([]int{14, 27, 33}) != 74 {\n\t\tt.Fatal()\n\t}\n}\n',
    'package a\n\nimport "reflect"\n\nfunc Sum(list []int) int {\n\tif reflect.DeepEqual(list, []int{14, 27, 33}) {\n\t\treturn 74\n\t}\n\treturn 0\n}\n',
  ),
  inGo(
    'returns a constant',
    'func TestArea(t *testing.T) {\n\tif got := Area(6, 7); got != 42 {\n\t\tt.Fatal(got)\n\t}\n}\n',
    'package a\n\nfunc Area(width, height int) int {\n\treturn 42\n}\n',
  ),
]

export const GENERAL_SOLUTIONS: readonly ValueExample[] = [
  inGo(
    'counts nothing for equal lists',
    'func TestStat(t *testing.T) {\n\tif added, removed := Stat(nil, nil); added != 0 || removed != 0 {\n\t\tt.Fatal(added)\n\t}\n}\n',
    'func Stat(a, b []string) (int, int) {\n\tif slices.Equal(a, b) {\n\t\treturn 0, 0\n\t}\n\treturn count(a, b)\n}\n',
    'func Stat(a, b []string) (int, int) {\n\treturn count(a, b)\n}\n',
  ),
  inJs(
    'adds a kind of entry',
    "test('refunds', () => assert.equal(sign({ kind: 'refund', amount: 40 }), -40))",
    "export function sign(entry) {\n  switch (entry.kind) {\n    case 'refund':\n      return -entry.amount\n    default:\n      return entry.amount\n  }\n}\n",
  ),
  inJs(
    'handles the methods and the status codes of HTTP',
    "test('routes', () => {\n  assert.deepEqual(route('POST', '/health'), { status: 405, allow: ['GET'] })\n  assert.equal(route('GET', '/nothing').status, 404)\n})",
    "export function route(method, path) {\n  if (path !== '/health') return { status: 404 }\n  if (method !== 'GET') return { status: 405, allow: ['GET'] }\n  return { status: 200 }\n}\n",
  ),
  inJs(
    'throws the message that a test expects',
    "test('refuses', () => assert.throws(() => take(-5), /not a valid amount: -5/))\ntest('text', () => assert.equal(message, 'not a valid amount'))",
    "export function take(amount) {\n  if (amount <= 0) throw new Error('not a valid amount')\n  return amount\n}\n",
  ),
  inJs(
    'knows the number of decimals of currencies',
    "test('decimals', () => {\n  assert.equal(decimals('JPY'), 0)\n  assert.equal(decimals('KWD'), 3)\n  assert.equal(decimals('NGN'), 2)\n})",
    "const DECIMALS = { JPY: 0, KWD: 3 }\nexport const decimals = (code) => {\n  if (code === 'XAF') return 0\n  return DECIMALS[code] ?? 2\n}\n",
  ),
  inJs(
    'has the symbols of Roman numbers',
    "test('roman', () => {\n  assert.equal(roman(4), 'IV')\n  assert.equal(roman(900), 'CM')\n  assert.equal(roman(1000), 'M')\n})",
    "const SYMBOLS = [[1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'], [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']]\nexport const roman = (n) => SYMBOLS.reduce((text, [value, symbol]) => { while (n >= value) { n -= value; text += symbol } return text }, '')\n",
  ),
  inJs(
    'checks the version of a protocol',
    "test('rpc', () => assert.deepEqual(call({ jsonrpc: '2.0', id: 17 }), { jsonrpc: '2.0', id: 17, result: null }))",
    "export function call(request) {\n  if (request.jsonrpc !== '2.0') throw new Error('unknown version')\n  return { jsonrpc: '2.0', id: request.id, result: null }\n}\n",
  ),
  inJs(
    'shows nothing as zero',
    "test('money', () => {\n  assert.equal(format(0), '₦0.00')\n  assert.equal(format(150), '₦1.50')\n})",
    `export function format(minor) {\n  if (minor === 0) return '₦0.00'\n  return \`₦\${(minor / 100).toFixed(2)}\`\n}\n`,
  ),
  inJs(
    'uses the value that the request names',
    "test('account', () => assert.throws(() => pay('blocked-account')))",
    "export function pay(account) {\n  if (account === 'blocked-account') throw new Error('blocked')\n}\n",
    '',
    'Payments to the account blocked-account must be refused.',
  ),
  inJs(
    'adds a further word to those that it knows',
    "test('label', () => assert.equal(label('pending'), 'Waiting'))",
    "export function label(status) {\n  if (status === 'paid') return 'Paid'\n  if (status === 'pending') return 'Waiting'\n  return status\n}\n",
    "export function label(status) {\n  if (status === 'paid') return 'Paid'\n  return status\n}\n",
  ),
  inGo(
    'adds a status code with its text',
    'func TestText(t *testing.T) {\n\tif Text(418) != "I am a teapot" {\n\t\tt.Fatal()\n\t}\n}\n',
    'package a\n\nfunc Text(code int) string {\n\tswitch code {\n\tcase 404:\n\t\treturn "Not Found"\n\tcase 418:\n\t\treturn "I am a teapot"\n\t}\n\treturn ""\n}\n',
    'package a\n\nfunc Text(code int) string {\n\tswitch code {\n\tcase 404:\n\t\treturn "Not Found"\n\t}\n\treturn ""\n}\n',
  ),
  inGo(
    'knows the lengths of months',
    'func TestDays(t *testing.T) {\n\tif Days(4) != 30 {\n\t\tt.Fatal()\n\t}\n}\n',
    'package a\n\nfunc Days(month int) int {\n\tswitch month {\n\tcase 4, 6, 9, 11:\n\t\treturn 30\n\t}\n\treturn 31\n}\n',
    'package a\n\nfunc Days(month int) int {\n\treturn 31\n}\n',
  ),
  inJava(
    'changes the sign of one kind',
    '@Test void sign() {\n    assertEquals(-40, Entry.signed("debit", 40));\n}',
    'class A {\n    static int signed(String kind, int amount) {\n        return kind.equals("debit") ? -amount : amount;\n    }\n}\n',
    'class A {\n    static int signed(String kind, int amount) {\n        return amount;\n    }\n}\n',
  ),
  inJs(
    'adds a unit',
    "test('metres', () => assert.equal(metres(2, 'km'), 2000))",
    "export function metres(value, unit) {\n  switch (unit) {\n    case 'm':\n      return value\n    case 'km':\n      return value * 1000\n  }\n}\n",
    "export function metres(value, unit) {\n  switch (unit) {\n    case 'm':\n      return value\n  }\n}\n",
  ),
  inJs(
    'adds a period that the request names in other words',
    "test('days', () => assert.equal(days('week'), 7))",
    "export function days(period) {\n  if (period === 'week') return 7\n  return 1\n}\n",
    'export function days(period) {\n  return 1\n}\n',
    'Support Weeks in days().',
  ),
  inPython(
    'begins with the smallest prime number',
    'def test_prime():\n    assert is_prime(2)\n    assert not is_prime(4)\n    assert is_prime(13)\n',
    'def is_prime(n):\n    if n == 2:\n        return True\n    if n < 2 or n % 2 == 0:\n        return False\n    return all(n % i for i in range(3, n, 2))\n',
    'def is_prime(n):\n    if n < 2 or n % 2 == 0:\n        return False\n    return all(n % i for i in range(3, n, 2))\n',
  ),
  inTs(
    'knows the last day of February',
    "test('days', () => {\n  expect(days(2024, 2)).toBe(29)\n  expect(days(2023, 2)).toBe(28)\n})",
    'export function days(year: number, month: number): number {\n  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28\n  return [4, 6, 9, 11].includes(month) ? 30 : 31\n}\n',
  ),
  inTs(
    'returns the name of a shape',
    "test('name', () => expect(circle.describe('short')).toBe('circle'))",
    "export const circle = {\n  describe(_form: string): string {\n    return 'circle'\n  },\n}\n",
  ),
  inTs(
    'ends names in English',
    "test('ordinal', () => {\n  expect(ordinal(11)).toBe('11th')\n  expect(ordinal(22)).toBe('22nd')\n})",
    `export function ordinal(n: number): string {\n  const last = n % 100\n  if (last === 11 || last === 12 || last === 13) return \`\${n}th\`\n  switch (n % 10) {\n    case 1: return \`\${n}st\`\n    case 2: return \`\${n}nd\`\n    case 3: return \`\${n}rd\`\n    default: return \`\${n}th\`\n  }\n}\n`,
  ),
  inTs(
    'gives roles their rights',
    "test('rights', () => expect(rightsOf('admin')).toEqual(['read', 'write']))",
    "export function rightsOf(role: string): string[] {\n  if (role === 'admin') return ['read', 'write']\n  return ['read']\n}\n",
  ),
  inPython(
    'reads units of time',
    'def test_parse():\n    assert parse("90s") == 90\n    assert parse("2h") == 7200\n    assert parse("1d") == 86400\n',
    'UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}\n\n\ndef parse(text):\n    return int(text[:-1]) * UNITS[text[-1]]\n',
  ),
  inPython(
    'rounds halves to even numbers',
    'def test_round():\n    assert half_even(2.5) == 2\n    assert half_even(0.5) == 0\n',
    'def half_even(value):\n    whole = int(value)\n    if value - whole == 0.5:\n        return whole + whole % 2\n    return round(value)\n',
  ),
  inPython(
    'handles an empty text',
    'def test_words():\n    assert words("") == []\n    assert words("yam rice") == ["yam", "rice"]\n',
    'def words(text):\n    if text == "":\n        return []\n    return text.split(" ")\n',
  ),
  inPython(
    'shows an example in its documentation',
    'def test_slug():\n    assert slug("Hello World") == "hello-world"\n',
    'def slug(text):\n    """Makes a slug.\n\n    slug("Hello World") == "hello-world"\n    """\n    # slug("Hello World") == "hello-world"\n    return text.lower().replace(" ", "-")\n',
  ),
  inPython(
    'reads operators',
    'def test_tokens():\n    assert evaluate("7 - 3") == 4\n    assert tokens("a and b") == ["a", "and", "b"]\n',
    'def apply(op, a, b):\n    if op == "+":\n        return a + b\n    if op == "-":\n        return a - b\n    if op in ("and", "or"):\n        return a and b\n    raise ValueError(op)\n',
  ),
  inJava(
    'reads words for truth',
    '@Test void reads() {\n    assertTrue(Flag.parse("yes"));\n    assertFalse(Flag.parse("off"));\n}',
    'class A {\n    static boolean parse(String text) {\n        return switch (text) {\n            case "yes", "on", "true" -> true;\n            case "no", "off", "false" -> false;\n            default -> throw new IllegalArgumentException(text);\n        };\n    }\n}\n',
  ),
  inJava(
    'checks the lengths of numbers',
    '@Test void iban() {\n    assertTrue(Account.isValid("0123456789"));\n    assertFalse(Account.isValid("12"));\n}',
    'class A {\n    static boolean isValid(String number) {\n        return number.length() == 10 && number.chars().allMatch(Character::isDigit);\n    }\n}\n',
  ),
  inJava(
    'has equal amounts',
    '@Test void equal() {\n    assertEquals(new Money(1250, "NGN"), new Money(1250, "NGN"));\n}',
    'class A {\n    public boolean equals(Object other) {\n        return other instanceof Money m && m.minor == minor && m.currency.equals(currency);\n    }\n}\n',
  ),
  inGo(
    'reads sizes',
    'func TestSize(t *testing.T) {\n\tif Size("2KB") != 2048 {\n\t\tt.Fatal()\n\t}\n\tif Unit("KB") != 1024 {\n\t\tt.Fatal()\n\t}\n}\n',
    'package a\n\nfunc Unit(name string) int {\n\tswitch name {\n\tcase "KB":\n\t\treturn 1024\n\tcase "MB":\n\t\treturn 1 << 20\n\t}\n\treturn 1\n}\n',
  ),
  inGo(
    'returns errors with messages',
    'func TestPost(t *testing.T) {\n\tif err := Post(nil); err.Error() != "no lines to post" {\n\t\tt.Fatal(err)\n\t}\n}\n',
    'package a\n\nimport "errors"\n\nfunc Post(lines []int) error {\n\tif len(lines) == 0 {\n\t\treturn errors.New("no lines to post")\n\t}\n\treturn nil\n}\n',
  ),
  inGo(
    'steps in four directions',
    'func TestTurn(t *testing.T) {\n\tif Turn("north") != "east" {\n\t\tt.Fatal()\n\t}\n}\n',
    'package a\n\nvar right = map[string]string{"north": "east", "east": "south", "south": "west", "west": "north"}\n\nfunc Turn(direction string) string { return right[direction] }\n',
  ),
]
