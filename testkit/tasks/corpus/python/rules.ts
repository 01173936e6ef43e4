// Repositories of Python: unittest, and requirements that are locked by version.
import { pythonPackage } from '../python-packages.ts'
import type { LanguageRules } from '../task.ts'

export const PYTHON: LanguageRules = {
  language: 'python',
  command: 'python3 -m unittest discover -s tests -t .',
  judge: 'python3 -m unittest -v tests.test_hidden 2>&1',
  manifest: (id, { packages = [] }) => ({
    'pyproject.toml': `[project]\nname = "${id}"\nversion = "0.1.0"\nrequires-python = ">=3.10"\n`,
    'README.md': `# ${id}\n\nRun the tests with \`python3 -m unittest discover -s tests -t .\`.\n`,
    'tests/__init__.py': '',
    ...(packages.length > 0 && {
      'requirements.txt': packages.map((name) => `${name}==${pythonPackage(name).version}\n`).join(''),
    }),
  }),
  hidden: (_, { hidden }) => ({ 'tests/test_hidden.py': hidden, 'tests/__init__.py': '' }),
}
