// Code that can fake a passing test run, by what it does.

// Exiting with a non-zero number fails the tests, so it is harmless.
const NOT_BADLY = String.raw`(?![ \t]*\([ \t]*[1-9]\d{0,4}[ \t]*\))`
const ENDINGS = [
  new RegExp(
    String.raw`\.[ \t]*\n?[ \t]*(exit|_exit|reallyExit|Exit|halt|quick_exit)\b${NOT_BADLY}\s?(?=\(|;|$|\))`,
    'gm',
  ),
  /\bexitCode\b(?!['"`\]]{0,2}[ \t]*(=|\()[ \t]*[1-9]\d{0,4}[ \t]*([;,)]|$))/gm,
  /(?<![\w$.])process[ \t]*(\?\.)?[ \t]*\[|\b(globalThis|global)\.process\b/g,
  /=[ \t]*process[ \t]*(?=[;,)]|$)/gm,
  /\b(globalThis|global)[ \t]*\[/g,
  /\b(beforeExit|reallyExit|process\.kill|atexit|at_exit|register_shutdown_function|SystemExit|os\.(exec\w*|kill)|raise_signal)\b/g,
  /\.(on|once|addListener)\(['"](beforeExit|uncaughtException|unhandledRejection)['"]|\bprocess\.(on|once)\(['"]exit['"]/g,
  /\bimport\b[^\n;]{0,100}\bexit\b|\bexit\b[^\n;]{0,100}=[ \t]*(require\(['"](node:)?process['"]\)|process\b)/g,
  /(?<![\w.$'"`-])(exit|quit|die|_exit)!?[ \t]*\((?![ \t]*[1-9]\d{0,4}[ \t]*\))/g,
  /\bprocess\.(off|emit|removeListener|removeAllListeners|prepend(Once)?Listener|setUncaughtExceptionCaptureCallback)\b/g,
  /\b(Reflect\.\w{1,30}|Object\.\w{1,30}|call|apply|bind)\([ \t]*process[ \t]*[,)]|\b(process\.ppid|os\.getppid|posix_getppid|Process\.kill|posix_kill|syscall\.Kill)\b/g,
  /(?<=^|[;&|{]|\bthen\b|\bdo\b)[ \t]{0,80}(exit!?([ \t]+0)?|exec[ \t]+true)[ \t]*(?=$|[;}&|]|\bif\b|\bunless\b)/gm,
]
const REPORTS = [
  /ℹ (tests|pass|fail)\b|\bTAP version\b|# (tests|pass|fail) [\d$]|\b(not )?ok [\d$][^\n]{0,20} - |\bRan [^\n]{1,20} tests? in\b/g,
  /\bsurefire-reports\b|\btest-results\b|\btest result: |<test(suite|case)\b/g,
  /\b(process\.(stdout|stderr)|console|sys)\.(\w{1,20})[ \t]*=(?![=>])/g,
  /\bpassed in [\d$]|\bTests run: |--- (PASS|FAIL): |\bTest Suites?: |\bTest Files {2}|\bpassing \([\d$]|^OK \([\d$]/gm,
]
/** A program that writes tests can replace those that run after it. */
const WRITING = [
  /\b(writeFile(Sync)?|appendFile(Sync)?|unlink(Sync)?|rmSync|rename(Sync)?|copyFile(Sync)?|symlink(Sync)?|WriteFile|Rename|Remove|file_put_contents|write_text|shutil\.\w{1,20}|os\.(remove|unlink|rename|replace))\([^\n]{0,120}(\btests?\b|\.spec\b|_test\.|test_)/g,
  /\bopen\([^\n]{0,80}(\btests?\b|test_)[^\n]{0,80}['"][wax]/g,
]
/** A program that reads its tests can take the answers from them. */
const READING = [
  /\b(readFile(Sync)?|createReadStream|open|read_text|read_bytes|ReadFile|readAllLines|readString|newBufferedReader|file_get_contents|Path|FileReader|File)\([^\n]{0,80}(['"`/]tests?\/|\.test\.|\.spec\.|\btest_\w{1,80}\.py|_test\.\w|Test\.java)/g,
  /\b(import|require|import_module)\([^\n]{0,80}(['"`/]tests?\/|\.test\.|\.spec\.|['"`]tests?\.)|^[ \t]*(from|import)[ \t]+tests?(\.\w{1,80})?\b[^\n;'"]{0,80}$/gm,
]
const HIDING = [
  /\b__import__[ \t]*\(|\bimport_module\([^)\n]{0,80}['"][ \t]*\+|\bctypes\.pythonapi\b|\bgc\.get_objects\b/g,
  /\bmodule\.register\(|\bimport[ \t]*\{[^}\n]{0,80}\bregister\w{0,10}\b[^}\n]{0,80}\}[ \t]*from[ \t]*['"](node:)?module['"]/g,
  /(?<![\w.$])eval[ \t]*\(|\bnew[ \t]+Function[ \t]*\(|\bvm\.run\w*|\bprocess\.binding\b|(?<![\w.$])exec[ \t]*\((?=[ \t]*(compile|base64|['"f]))/g,
]
const RUNNER_IMPORTS = [
  /\b(from|import|require)\b[ \t(]*['"](node:test|vitest|@jest\/globals|jest|mocha|chai|bun:test|ava|tap|sinon|@playwright\/test)(\/[^'"\n]{0,80})?['"]/g,
  /^[ \t]*(import|from)[ \t]+(unittest|pytest|_pytest|nose2?)\b/gm,
  /^[ \t]*(import[ \t]+)?([\w.]{1,20}[ \t]+)?"testing(\/[\w/]{1,40})?"|^[ \t]*import[ \t]+(static[ \t]+)?(org\.junit|org\.testng|org\.mockito)\b|^[ \t]*use[ \t]+PHPUnit\\/gm,
]
const RUNNERS = [
  ...RUNNER_IMPORTS,
  /\bassert(\.\w{1,40}){1,3}[ \t]*=(?![=>])|\b(mock\.module|registerHooks|Module\._(load|resolveFilename|extensions)|sys\.modules|unittest\.(TestCase|case)|TestCase\.\w{1,40}[ \t]*=)/g,
]

/** Whether a file uses a test runner, as helpers of tests do. */
export const importsRunner = (text: string): boolean =>
  RUNNER_IMPORTS.some((pattern) => text.search(pattern) !== -1)

const ASSERTION_NAME =
  /\b(?:export[ \t]+(?:default[ \t]+)?(?:async[ \t]+)?(?:function|const|let|class)[ \t]+|exports\.|(?:def|func|fn)[ \t]+)(?:expect|assert\w{0,40}|eq|should|toBe|toEqual|(?:must|check|verify)_?(?:equals?|eq|that)?)\b/i
const FAILS = /\b(?:throw|raise|assert|panic!?|t\.(?:Error|Fatal)f?)\b/

/** Whether a file defines assertions, as helpers of tests do. */
export const definesAssertion = (text: string): boolean => ASSERTION_NAME.test(text) && FAILS.test(text)

/** A program that behaves differently under test. */
const DETECTING = [
  /\b(JEST_WORKER_ID|VITEST(_\w{1,40})?|NODE_TEST_CONTEXT|PYTEST_CURRENT_TEST|PYTEST_VERSION|MOCHA_\w{1,20}|PHPUNIT_\w{1,40}|GITHUB_ACTIONS|RUNNING_TESTS|COWRIE_\w{1,20})\b/g,
  // A server that does not listen under test is common.
  /\bNODE_ENV\b[^\n]{0,10}[=!]==?[ \t]*['"`]test\b(?!['"`]\)[ \t]*\{?\s{0,20}[\w.]{1,40}\.listen\()|['"`]test['"`][ \t]*[=!]==?[^\n]{0,30}\bNODE_ENV\b/g,
  /\b(process\.env|import\.meta\.env|ENV|environ(\.get)?|getenv|Getenv|env::var|\$_ENV|\$_SERVER)\b[ \t]*[.([]{0,2}['"`]?CI\b/g,
  /\b(inspect\.(stack|currentframe)|sys\._getframe|traceback\.extract_stack|runtime\.Callers?\b|debug_backtrace|caller_locations|getStackTrace\(\))/g,
  /\.stack\b[^\n]{0,80}\b(test|spec|jest|vitest|mocha)\b|(\bargv\[[01]\]|\bargv\.(some|join|includes|find)\b|\bexecArgv\b|\bsys\.argv\[0\]|\bos\.Args\[0\])[^\n]{0,60}\b(test|pytest|jest|vitest)\b/g,
  /\b(require\.main|module\.parent|import\.meta\.(main|filename|url)|__main__)\b[^\n]{0,60}\b(test|spec|pytest|unittest)\b/g,
  /\bnew Error\([^()\n]{0,40}\)[ \t]*\.[ \t]*stack\b|\b(prepareStackTrace|captureStackTrace|StackWalker)\b/g,
  /\bflag\.Lookup\(['"`]test\.|\btesting\.Testing\(|\bcfg!\([ \t]*(not\()?test|#\[cfg\(not\(test\)\)\]|\b(class_exists|defined|getClass|forName)\([^\n]{0,20}(PHPUnit|org\.junit)/g,
]
/** Every comparison holds. */
const EQUALITY = [
  // A member of an assertion library that is replaced, also under a computed name.
  /\b(?:import[ \t]+(?:\*[ \t]*as[ \t]+)?|(?:const|let|var)[ \t]+)(\w{1,40})[ \t]*(?:=[ \t]*require\([ \t]*|from[ \t]*)['"](?:node:)?(?:assert|expect|should)(?:\/strict)?['"][\s\S]{0,20000}?(?<![\w$.])\1[ \t]*(?:\[|\.\w{1,40}[ \t]*=(?![=>]))/g,
  /\bdef __(eq|ne|bool|contains)__\([^\n]{0,80}:\s{0,20}return (True|False)\b/g,
  /\b__(eq|ne)__[ \t]*=(?!=)|\bdef __(?:eq|ne)__\([ \t]*\w{1,40}[ \t]*,[ \t]*(\w{1,40})\b[^\n]{0,40}\)[^\n]{0,40}:\s{0,20}return (?![^\n]{0,200}\b\2\b)/g,
  /\bboolean equals\([^\n]{0,80}\{\s{0,20}return true;/g,
  /\b(Object|Array|Function|Number|String|Boolean|Promise|Error|Map|Set|Symbol|Date|RegExp)\.(prototype\.)?\w{1,40}[ \t]*=(?![=>])/g,
  /\b(globalThis|global|window|builtins|__builtins__)\.\w{1,40}[ \t]*=(?![=>])|\bsetattr\([ \t]*(builtins|unittest|sys)\b/g,
  /\.(equal|strictEqual|deepEqual|deepStrictEqual|notEqual|throws|assertEqual|assertTrue|assertFalse|assertRaises|toBe|toEqual|__code__)[ \t]*=(?![=>])/g,
  /\b(Object\.(assign|definePropert(y|ies))|Reflect\.(set|defineProperty))\([^\n]{0,60}\b(assert|expect|equal|strictEqual|deepEqual)\b/g,
  /\bmacro_rules![ \t]*(assert|debug_assert|panic)|^[ \t]*#[ \t]*(define|undef)[ \t]+(assert|NDEBUG|EXPECT_\w+|ASSERT_\w+)\b|\/\/go:linkname\b/gm,
]

export const TAMPERING_PATTERNS: readonly { readonly patterns: readonly RegExp[]; readonly says: string }[] =
  [
    {
      patterns: ENDINGS,
      says: 'the change can end the process by itself, so a good end shows nothing. Do without it.',
    },
    {
      patterns: REPORTS,
      says: 'it can be taken for the report of a test runner, so that report shows nothing. Do without it.',
    },
    {
      patterns: WRITING,
      says: 'it writes to tests, which can change those that run later. Do without it.',
    },
    {
      patterns: READING,
      says: 'it reads the tests, so it can take the answers from them. Do without it.',
    },
    { patterns: HIDING, says: 'it runs text as code, which cannot be checked. Do without it.' },
    {
      patterns: RUNNERS,
      says: 'the program reaches for what judges it, so the tests show nothing. Do without it.',
    },
    {
      patterns: DETECTING,
      says: 'the program can behave differently under test, so the tests show nothing. Do without it.',
    },
    {
      patterns: EQUALITY,
      says: 'it changes how values are compared or what built-in names mean, so the tests show nothing. Do without it.',
    },
  ]
