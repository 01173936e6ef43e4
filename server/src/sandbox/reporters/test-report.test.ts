import { measureCost } from '@cowrie/testkit/harness/cpu-time.ts'
import { SAMPLES } from '@cowrie/testkit/sandbox/report-samples.ts'
import { describe, expect, test } from 'vitest'
import { condenseOutput, readTestReport, type TestReport } from './test-report.ts'

const read = (name: string, exitCode = 1) => readTestReport(SAMPLES[name] ?? '', exitCode)
type Expected = Pick<TestReport, 'reporter' | 'passed' | 'failed' | 'failures'>

describe('the report of', () => {
  test.for<[name: string, expected: Expected]>([
    [
      'node:test spec',
      {
        reporter: 'node:test',
        passed: 2,
        failed: 2,
        failures: [
          { name: 'subtracts', message: 'AssertionError [ERR_ASSERTION]: 1 == 2', frame: 'a.test.js:2' },
          {
            name: 'multiplies',
            message: expect.stringContaining('loosely deep-equal'),
            frame: 'a.test.js:3',
          },
        ],
      },
    ],
    [
      'node:test tap',
      {
        reporter: 'node:test',
        passed: 2,
        failed: 2,
        failures: [
          { name: 'subtracts', message: '1 == 2', frame: 'a.test.js:2' },
          {
            name: 'multiplies',
            message: expect.stringContaining('loosely deep-equal'),
            frame: 'a.test.js:3',
          },
        ],
      },
    ],
    [
      'unittest',
      {
        reporter: 'unittest',
        passed: 1,
        failed: 2,
        failures: [
          { name: 'test_err (__main__.T.test_err)', message: 'ValueError: boom 42', frame: 't_test.py:5' },
          { name: 'test_bad (__main__.T.test_bad)', message: 'AssertionError: 1 != 2', frame: 't_test.py:4' },
        ],
      },
    ],
    [
      'pytest',
      {
        reporter: 'pytest',
        passed: 1,
        failed: 2,
        failures: [
          { name: 'test_p.py::test_bad', message: 'AssertionError: no', frame: 'test_p.py:4' },
          { name: 'test_p.py::test_err', message: "KeyError: 'k'", frame: 'test_p.py:5' },
        ],
      },
    ],
    [
      'vitest',
      {
        reporter: 'vitest',
        passed: 1,
        failed: 1,
        failures: [
          {
            name: 'b.test.ts > math > subtracts',
            message: expect.stringContaining('expected 1 to be 2'),
            frame: 'b.test.ts:2',
          },
        ],
      },
    ],
    [
      'jest',
      {
        reporter: 'jest',
        passed: 4,
        failed: 2,
        failures: [
          {
            name: 'math › subtracts',
            message: expect.stringContaining('Expected: 2'),
            frame: 'math.test.js:3',
          },
          {
            name: 'broken › throws',
            message: expect.stringContaining('Cannot read'),
            frame: 'src/broken.js:7',
          },
        ],
      },
    ],
    [
      'mocha',
      {
        reporter: 'mocha',
        passed: 1,
        failed: 2,
        failures: [
          {
            name: 'math subtracts',
            message: expect.stringContaining('1 !== 2'),
            frame: 'test/math.spec.js:3',
          },
          {
            name: 'top level "before each" hook for "runs"',
            message: 'Error: no database',
            frame: 'test/top.spec.js:5',
          },
        ],
      },
    ],
    [
      'go test',
      {
        reporter: 'go test',
        passed: 1,
        failed: 2,
        failures: [
          { name: 'TestSubtract/small', message: 'math_test.go:15: and again', frame: 'math_test.go:15' },
          { name: 'example.com/broken', message: '' },
        ],
      },
    ],
    ['go test, quiet', { reporter: 'go test', passed: 2, failed: 0, failures: [] }],
    [
      'junit, by Maven',
      {
        reporter: 'junit',
        passed: 1,
        failed: 2,
        failures: [
          {
            name: 'com.example.MathTest.subtracts',
            message: 'org.opentest4j.AssertionFailedError: expected: <2> but was: <1>',
            frame: 'MathTest.java:17',
          },
          {
            name: 'com.example.MathTest.divides',
            message: 'java.lang.ArithmeticException: / by zero',
            frame: 'Math.java:9',
          },
        ],
      },
    ],
    ['junit, by its console', { reporter: 'junit', passed: 3, failed: 1, failures: [] }],
    ['junit, by Gradle', { reporter: 'junit', passed: 3, failed: 1, failures: [] }],
    [
      'phpunit',
      {
        reporter: 'phpunit',
        passed: 1,
        failed: 2,
        failures: [
          {
            name: 'MathTest::testDivides',
            message: expect.stringContaining('Division by zero'),
            frame: 'src/Math.php:9',
          },
          {
            name: 'MathTest::testSubtracts',
            message: expect.stringContaining('1 matches expected 2'),
            frame: 'tests/MathTest.php:14',
          },
        ],
      },
    ],
    [
      'tap',
      { reporter: 'tap', passed: 1, failed: 1, failures: [{ name: 'subtracts', message: 'one is not two' }] },
    ],
  ])('%s is read', ([name, { reporter, passed, failed, failures }]) => {
    expect(read(name)).toEqual({
      reporter,
      passed,
      failed,
      failures,
      named: expect.anything(),
      isWhole: true,
      signature: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  test('a runner that found no tests counts nothing', () => {
    for (const output of [
      'ℹ pass 0\nℹ fail 0\nℹ cancelled 0',
      '===== no tests ran in 0.01s =====',
      'Ran 0 tests in 0.000s\n\nOK',
    ])
      expect(readTestReport(output, 0)).toMatchObject({ reporter: expect.any(String), passed: 0, failed: 0 })
  })

  test('an unknown runner has no name', () => {
    expect(readTestReport('all good\n', 0)).toMatchObject({
      reporter: null,
      passed: 0,
      failed: 0,
      failures: [],
    })
  })

  test('several runners is summed', () => {
    const both = `${SAMPLES['node:test spec']}\n${SAMPLES.pytest}`
    expect(readTestReport(both, 1)).toMatchObject({ reporter: 'node:test', passed: 3, failed: 4 })
  })

  test('a runner in colour is read as well', () => {
    const coloured = '\x1b[34mℹ pass 3\x1b[39m\r\n\x1b[34mℹ fail 0\x1b[39m\r\n'
    expect(readTestReport(coloured, 0)).toMatchObject({ reporter: 'node:test', passed: 3 })
  })
})

describe('the signature', () => {
  const unittest = SAMPLES.unittest ?? ''
  const signature = (output: string, exitCode = 1) => readTestReport(output, exitCode).signature

  test('does not change with lines, times, numbers and paths', () => {
    const moved = unittest
      .replaceAll('line 5', 'line 50')
      .replace('in 0.001s', 'in 9.310s')
      .replaceAll('boom 42', 'boom 43')
    expect(moved).not.toBe(unittest)
    expect(signature(moved)).toBe(signature(unittest))
    expect(signature('panic at 0xc000012345 in /tmp/a1/x')).toBe(
      signature('panic at 0xc0000abcde in /tmp/b2/y'),
    )
  })

  test('changes with the failing test, its message and its location', () => {
    const others = [
      unittest.replaceAll('test_err', 'test_other'),
      unittest.replaceAll('boom 42', 'crash 42'),
      unittest.replace('t_test.py", line 5', 'other.py", line 5'),
      unittest.replace(/=+\nFAIL[\s\S]*?(?=-{70}\nRan)/, ''),
    ]
    expect(new Set([unittest, ...others].map((output) => signature(output))).size).toBe(5)
  })

  test('of a command without test names is that of its last lines and its exit code', () => {
    expect(signature('cannot find module a')).not.toBe(signature('cannot find module b'))
    expect(signature('same', 1)).not.toBe(signature('same', 2))
  })
})

describe('the names of tests', () => {
  const namesOf = (name: string) => {
    const { passed, failed } = read(name).named
    return [[...passed], [...failed]]
  }

  test.for<[string, passed: string[], failed: string[]]>([
    ['node:test spec', ['adds', 'divides'], ['subtracts', 'multiplies', 'math']],
    ['node:test tap', ['adds', 'divides'], ['subtracts', 'multiplies', 'math']],
    ['tap', ['adds'], ['subtracts']],
    ['jest', ['adds'], ['subtracts']],
    ['mocha', ['adds'], ['subtracts']],
    ['go test', ['TestAdd'], ['TestSubtract', 'TestSubtract/small']],
    // These runners name only failing tests unless configured otherwise.
    ['go test, quiet', [], []],
    ['pytest', [], []],
    ['unittest', [], []],
    ['vitest', [], []],
  ])('are read from %s', ([name, passed, failed]) => {
    expect(namesOf(name)).toEqual([passed, failed])
  })

  test('are read from Python runners in verbose mode', () => {
    const pytest =
      'test_p.py::test_a PASSED   [ 50%]\ntest_p.py::test_b[1 2] FAILED   [100%]\n1 failed, 1 passed in 0.01s'
    expect(readTestReport(pytest, 1).named).toEqual({
      passed: new Set(['test_p.py::test_a']),
      failed: new Set(['test_p.py::test_b[1 2]']),
    })
    const unittest =
      'test_a (t.T.test_a) ... ok\ntest_b (t.T.test_b) ... FAIL\ntest_c (t.T.test_c) ... skipped "no"\ntest_d (t.T.test_d) ... printed\nok\nRan 4 tests in 0.1s\n\nFAILED (failures=1, skipped=1)'
    expect(readTestReport(unittest, 1).named).toEqual({
      passed: new Set(['test_a (t.T.test_a)', 'test_d (t.T.test_d)']),
      failed: new Set(['test_b (t.T.test_b)']),
    })
  })

  test('are read from the summary of pytest, from Cargo and from report files of JUnit', () => {
    const pytest = 'PASSED t.py::test_a\nFAILED t.py::test_b - assert 1 == 2\n1 failed, 1 passed in 0.01s'
    expect(readTestReport(pytest, 1).named).toEqual({
      passed: new Set(['t.py::test_a']),
      failed: new Set(['t.py::test_b']),
    })
    const cargo =
      'running 3 tests\ntest tests::a ... ok\ntest tests::b ... FAILED\ntest tests::c ... ignored\n\nfailures:\n\n---- tests::b stdout ----\nassertion failed: false\n\ntest result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n'
    expect(readTestReport(cargo, 101)).toMatchObject({
      ...{ reporter: 'cargo test', passed: 1, failed: 1, failures: [{ name: 'tests::b' }] },
      named: { passed: new Set(['tests::a']), failed: new Set(['tests::b']) },
    })
    const junit =
      '<testsuite name="T" tests="3" errors="0" skipped="1" failures="1">\n<testcase name="a" classname="T">\n<testcase name="b" classname="T">\n<failure \n<testcase name="c" classname="T">\n<skipped/\n'
    expect(readTestReport(junit, 1)).toMatchObject({
      ...{ reporter: 'junit', passed: 1, failed: 1 },
      named: { passed: new Set(['T.a']), failed: new Set(['T.b']) },
    })
  })

  test('do not include a module that could not be imported', () => {
    const output =
      'test_c (unittest.loader._FailedTest.test_c) ... ERROR\nsetUpClass (t.T) ... ERROR\nRan 1 test in 0.1s\n\nFAILED (errors=1)'
    expect(readTestReport(output, 1).named.failed).toEqual(new Set())
  })

  test('may be missing in truncated output, and the report is marked', () => {
    expect(readTestReport('x\n'.repeat(5_000), 0).isWhole).toBe(true)
    expect(readTestReport('x\n'.repeat(20_000), 0).isWhole).toBe(false)
    expect(readTestReport('x\n… 5 bytes left out …\ny', 0).isWhole).toBe(false)
  })
})

test('failing Go packages are counted like passing ones, so that runs can be compared', () => {
  const quiet = '--- FAIL: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\nFAIL\texample.com/a\t0.003s\nFAIL\n'
  expect(readTestReport(quiet, 1)).toMatchObject({ reporter: 'go test', passed: 0, failed: 1 })
})

test('hostile output of 1 MiB is parsed in time that grows no faster than its length', () => {
  const flood = (text: string) => text.repeat(Math.floor((1 << 20) / Buffer.byteLength(text)))
  const floods = [
    'a',
    '\x1b[',
    '\n',
    `${'a.b:'.repeat(400)}\n`,
    'FAILED x.py::y - z\n1 failed in 1s\n',
    '# pass 1\n# fail 1\nnot ok 1 - x\n',
    '--- FAIL: T (0s)\n',
    'Ran 1 test in 1s\n',
    'password=abc token:xyz Bearer aaaa.bbbb.cccc\n',
  ].map(flood)
  readTestReport(floods[0] ?? '', 1)
  for (const text of floods) {
    const read = () => condenseOutput(text, readTestReport(text, 1))
    expect(measureCost(read), text.slice(0, 30)).toBeLessThan(400)
  }
})
