// Names of packages that run or judge tests, in all package managers.

const JAVASCRIPT =
  /^(@types\/)?(jest|vitest|mocha|chai|ava|tap|tape|jasmine|karma|cypress|qunit|uvu|expect|should|sinon|nyc|c8|ts-jest|babel-jest|ts-node|tsx|cross-env|npm-run-all2?|jest-[\w-]+|mocha-[\w-]+|vite-node|tinyspy|jsdom|happy-dom)$|^@(jest|vitest|playwright|swc\/jest|tapjs|ava)(\/|$)/
const PYTHON =
  /^(pytest([-_][\w-]+)?|pluggy|iniconfig|nose2?|unittest2|tox|nox|hypothesis|coverage|mock|exceptiongroup)$/i
const OTHERS =
  /(^|[/:.])(phpunit|pest|codeception|mockery|junit[\w.-]*|testng|mockito[\w.-]*|assertj[\w.-]*|hamcrest[\w.-]*|maven-(surefire|failsafe)-plugin|surefire[\w.-]*|testify|ginkgo|gomega|go-cmp|rspec[\w-]*|minitest|rstest|nextest|libtest[\w-]*)(\/|:|$)|^(sebastian|pestphp)\//i

export const isRunnerPackage = (name: string): boolean =>
  JAVASCRIPT.test(name) || PYTHON.test(name) || OTHERS.test(name)

const NAME = /[@A-Za-z][\w@./:-]{1,150}/g

/** Whether a line of a manifest or a lockfile names such a package. */
export const namesRunnerPackage = (line: string): boolean =>
  (line.slice(0, 500).match(NAME) ?? []).some((word) =>
    isRunnerPackage(
      word
        .replace(/^.*node_modules\//, '')
        .replace(/(?<=.)@.*$/, '')
        .replace(/[:./]+$/, ''),
    ),
  )
