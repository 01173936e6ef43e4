// Output of test runners. The first five samples were recorded, the others follow the documentation.

export const SAMPLES: Readonly<Record<string, string>> = {
  'node:test spec': `✔ adds (1.229817ms)
✖ subtracts (14.396899ms)
▶ math
  ✖ multiplies (14.321773ms)
  ✔ divides (0.257707ms)
  ﹣ skips (0.203979ms) # SKIP
✖ math (15.825838ms)
ℹ tests 5
ℹ suites 1
ℹ pass 2
ℹ fail 2
ℹ cancelled 0
ℹ skipped 1
ℹ todo 0
ℹ duration_ms 527.29092

✖ failing tests:

test at a.test.js:2:31
✖ subtracts (14.396899ms)
  AssertionError [ERR_ASSERTION]: 1 == 2
      at TestContext.<anonymous> (/project/a.test.js:2:54)
    generatedMessage: true,
    code: 'ERR_ASSERTION',
    actual: 1,
    expected: 2,
    operator: '==',
    diff: 'simple'
  }

test at a.test.js:3:22
✖ multiplies (14.321773ms)
  AssertionError [ERR_ASSERTION]: Expected values to be loosely deep-equal:

  {
    a: 1
  }

  should loosely deep-equal

  {
    a: 2
  }
      at TestContext.<anonymous> (/project/a.test.js:3:44)
    generatedMessage: true,
    code: 'ERR_ASSERTION',
    actual: { a: 1 },
    expected: { a: 2 },
    operator: 'deepEqual',
    diff: 'simple'
  }
`,
  'node:test tap': `TAP version 13
# Subtest: adds
ok 1 - adds
  ---
  duration_ms: 1.223401
  type: 'test'
  ...
# Subtest: subtracts
not ok 2 - subtracts
  ---
  duration_ms: 117.489329
  type: 'test'
  location: '/project/a.test.js:2:31'
  failureType: 'testCodeFailure'
  error: '1 == 2'
  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  expected: 2
  actual: 1
  operator: '=='
  stack: |-
    TestContext.<anonymous> (/project/a.test.js:2:54)
  ...
# Subtest: math
    # Subtest: multiplies
    not ok 1 - multiplies
      ---
      duration_ms: 1.661998
      type: 'test'
      location: '/project/a.test.js:3:22'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be loosely deep-equal:

        {
          a: 1
        }

        should loosely deep-equal

        {
          a: 2
        }
      code: 'ERR_ASSERTION'
      name: 'AssertionError'
      expected:
        a: 2
      actual:
        a: 1
      operator: 'deepEqual'
      stack: |-
        TestContext.<anonymous> (/project/a.test.js:3:44)
      ...
    # Subtest: divides
    ok 2 - divides
      ---
      duration_ms: 0.222826
      type: 'test'
      ...
    # Subtest: skips
    ok 3 - skips # SKIP
      ---
      duration_ms: 0.182892
      type: 'test'
      ...
    1..3
not ok 3 - math
  ---
  duration_ms: 2.852111
  type: 'suite'
  location: '/project/a.test.js:3:1'
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  code: 'ERR_TEST_FAILURE'
  ...
1..3
# tests 5
# suites 1
# pass 2
# fail 2
# cancelled 0
# skipped 1
# todo 0
# duration_ms 1226.996888
`,
  unittest: `FE.
======================================================================
ERROR: test_err (__main__.T.test_err)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/project/t_test.py", line 5, in test_err
    def test_err(self): raise ValueError('boom 42')
                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^
ValueError: boom 42

======================================================================
FAIL: test_bad (__main__.T.test_bad)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/project/t_test.py", line 4, in test_bad
    def test_bad(self): self.assertEqual(1,2)
                        ^^^^^^^^^^^^^^^^^^^^^
AssertionError: 1 != 2

----------------------------------------------------------------------
Ran 3 tests in 0.006s

FAILED (failures=1, errors=1)
`,
  pytest: `============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.0.3, pluggy-1.6.0
rootdir: /project
plugins: hypothesis-6.155.2
collected 3 items

test_p.py .FF                                                            [100%]

=================================== FAILURES ===================================
___________________________________ test_bad ___________________________________

    def test_bad():
        x = 3
>       assert x == 4, 'no'
E       AssertionError: no
E       assert 3 == 4

test_p.py:4: AssertionError
___________________________________ test_err ___________________________________

>   def test_err(): {}['k']
                    ^^^^^^^
E   KeyError: 'k'

test_p.py:5: KeyError
=========================== short test summary info ============================
FAILED test_p.py::test_bad - AssertionError: no
FAILED test_p.py::test_err - KeyError: 'k'
========================= 2 failed, 1 passed in 6.80s ==========================
`,
  vitest: `
 RUN  v5.1.0 /project/v

 ❯ b.test.ts (2 tests | 1 failed) 15ms
   ✓ adds 3ms
   ❯ math (1)
     × subtracts 9ms

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  b.test.ts > math > subtracts
AssertionError: expected 1 to be 2 // Object.is equality

- Expected
+ Received

- 2
+ 1

 ❯ b.test.ts:2:89
      1| import {test,expect,describe} from 'vitest'
      2| test('adds',()=>expect(1).toBe(1)); describe('math',()=>{test('subtrac…
       |                                                                                         ^
      3|

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯


 Test Files  1 failed (1)
      Tests  1 failed | 1 passed (2)
   Start at  20:24:18
   Duration  488ms (import 44%, tests 31%, worker 15%, transform 10%)

`,
  jest: `FAIL ./math.test.js
  ✓ adds (2 ms)
  math
    ✕ subtracts (3 ms)
    ○ skipped later

  ● math › subtracts

    expect(received).toBe(expected) // Object.is equality

    Expected: 2
    Received: 1

      2 | describe('math', () => {
    > 3 |   test('subtracts', () => expect(1).toBe(2))
        |                                     ^
      4 | })

      at Object.toBe (/project/math.test.js:3:37)
      at new Promise (<anonymous>)

  ● broken › throws

    TypeError: Cannot read properties of undefined (reading 'x')

      at read (/project/node_modules/left-pad/index.js:9:1)
      at Object.<anonymous> (/project/src/broken.js:7:11)

Test Suites: 2 failed, 1 passed, 3 total
Tests:       2 failed, 1 skipped, 4 passed, 7 total
Snapshots:   0 total
Time:        0.512 s
Ran all test suites.
`,
  mocha: `

  math
    ✔ adds
    1) subtracts
    - later

  top level
    2) "before each" hook for "runs"


  1 passing (8ms)
  1 pending
  2 failing

  1) math
       subtracts:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

1 !== 2

      + expected - actual

      -1
      +2

      at Context.<anonymous> (test/math.spec.js:3:37)
      at process.processImmediate (node:internal/timers:476:21)

  2) top level
       "before each" hook for "runs":
     Error: no database
      at Context.<anonymous> (test/top.spec.js:5:11)


`,
  'go test': `=== RUN   TestAdd
--- PASS: TestAdd (0.00s)
=== RUN   TestSubtract
=== RUN   TestSubtract/small
    math_test.go:14: got 1, want 2
--- FAIL: TestSubtract (0.00s)
    --- FAIL: TestSubtract/small (0.00s)
        math_test.go:15: and again
FAIL
FAIL\texample.com/math\t0.003s
# example.com/broken
broken/broken.go:3:2: undefined: x
FAIL\texample.com/broken [build failed]
ok  \texample.com/other\t0.002s
FAIL
`,
  'go test, quiet': `ok  \texample.com/math\t0.003s
ok  \texample.com/other\t(cached)
?   \texample.com/empty\t[no test files]
ok  \texample.com/none\t0.001s [no tests to run]
`,
  'junit, by Maven': `[INFO] -------------------------------------------------------
[INFO]  T E S T S
[INFO] -------------------------------------------------------
[INFO] Running com.example.MathTest
[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in com.example.MathTest
[ERROR] com.example.MathTest.subtracts -- Time elapsed: 0.004 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <2> but was: <1>
\tat org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
\tat com.example.MathTest.subtracts(MathTest.java:17)

[ERROR] com.example.MathTest.divides -- Time elapsed: 0.001 s <<< ERROR!
java.lang.ArithmeticException: / by zero
\tat com.example.Math.divide(Math.java:9)

[INFO] Results:
[INFO]
[ERROR] Failures:
[ERROR]   MathTest.subtracts:17 expected: <2> but was: <1>
[INFO]
[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0
`,
  'junit, by its console': `[         4 tests found           ]
[         3 tests successful      ]
[         1 tests failed          ]
`,
  'junit, by Gradle': `MathTest > subtracts() FAILED
    org.opentest4j.AssertionFailedError at MathTest.java:17

5 tests completed, 1 failed, 1 skipped
`,
  phpunit: `PHPUnit 9.6.7 by Sebastian Bergmann and contributors.

.FE                                                                 3 / 3 (100%)

Time: 00:00.012, Memory: 6.00 MB

There was 1 error:

1) MathTest::testDivides
DivisionByZeroError: Division by zero

/project/src/Math.php:9

--

There was 1 failure:

1) MathTest::testSubtracts
Failed asserting that 1 matches expected 2.

/project/tests/MathTest.php:14

ERRORS!
Tests: 3, Assertions: 2, Errors: 1, Failures: 1.
`,
  tap: `TAP version 13
ok 1 - adds
not ok 2 - subtracts
  ---
  error: 'one is not two'
  ...
ok 3 - later # SKIP not now
not ok 4 - some day # todo
1..4
`,
}
