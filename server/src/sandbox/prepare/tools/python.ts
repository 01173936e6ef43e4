// uv, poetry and pip. All of them install into one virtual environment outside the project.
import { HOME_FOLDER } from '../../bootstrap.ts'
import { isHttp, type PrepareTool, VIRTUAL_ENVIRONMENT } from './tool.ts'

const MANIFESTS =
  /(^|\/)(pyproject\.toml|setup\.(py|cfg)|[\w.-]*requirements[\w.-]*\.(txt|in)|constraints\.txt)$/
const VARIABLES = { VIRTUAL_ENV: VIRTUAL_ENVIRONMENT, PYTHONDONTWRITEBYTECODE: '1' }

// Packages of the host stay visible: a project whose tests need only them has nothing to install.
const MAKE_ENVIRONMENT = `
[ -x ${VIRTUAL_ENVIRONMENT}/bin/python ] ||
  python3 -m venv --without-pip --system-site-packages ${VIRTUAL_ENVIRONMENT} || exit`

const pipOnline = (url: string | null) => ({
  PIP_CACHE_DIR: `${HOME_FOLDER}/.pip-cache`,
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_RETRIES: '2',
  ...(url !== null && { PIP_INDEX_URL: `${url}/` }),
  ...(isHttp(url) && { PIP_TRUSTED_HOST: new URL(url).host }),
})

const REQUIREMENTS = /^[\w.-]*requirements[\w.-]*\.txt$/
/** Others, as for documentation, are installed only if there is no usual one. */
const USUAL = /^(requirements|(requirements|reqs)?[-_.]?(dev|test|tests|testing)[-_.]?(requirements)?)\.txt$/

const LIST_PACKAGES = `
import tomllib
settings = tomllib.load(open("pyproject.toml", "rb"))
project = settings.get("project", {})
groups = [project.get("optional-dependencies", {}), settings.get("dependency-groups", {})]
named = [each for group in groups for name in ("dev", "test", "tests") for each in group.get(name, [])]
print(*project.get("dependencies", []), *(each for each in named if isinstance(each, str)), sep="\\n")
`

const pip: PrepareTool = {
  name: 'pip',
  kind: 'python',
  lockfiles: /^([\w.-]*requirements[\w.-]*\.txt|pyproject\.toml|setup\.py)$/,
  manifests: MANIFESTS,
  programs: ['python3'],
  isNeeded: async (project) => {
    const all = [...project.names].filter((name) => REQUIREMENTS.test(name))
    for (const name of all) if (/^\s*[^\s#]/m.test((await project.read(name)) ?? '')) return true
    // Many projects have the file only for the settings of linters.
    const settings = (await project.read('pyproject.toml')) ?? ''
    return project.names.has('setup.py') || /^\[(project|build-system)\]/m.test(settings)
  },
  command: async ({ names }) => {
    const all = [...names].filter((name) => REQUIREMENTS.test(name)).sort()
    const usual = all.filter((name) => USUAL.test(name))
    const files = (usual.length > 0 ? usual : all).map((name) => `-r ${name}`).join(' ')
    const install = `python3 -m pip --python ${VIRTUAL_ENVIRONMENT}/bin/python install`
    if (files !== '') return `${MAKE_ENVIRONMENT}\n${install} ${files}`
    // An unknown extra is only a warning. Applications often cannot be built and run from their folder; then only the
    // packages of the list are installed.
    const build = `${install} -e '.[dev,test,tests]'`
    if (names.has('setup.py')) return `${MAKE_ENVIRONMENT}\n${build}`
    const list = `python3 -c '${LIST_PACKAGES}' > ${HOME_FOLDER}/listed.txt`
    return `${MAKE_ENVIRONMENT}\n${build} || { [ ! -d src ] && ${list} && ${install} -r ${HOME_FOLDER}/listed.txt; }`
  },
  environment: VARIABLES,
  online: pipOnline,
  offline: { PIP_NO_INDEX: '1' },
  projectOutputs: [],
  homeOutputs: ['venv'],
}

const uv: PrepareTool = {
  name: 'uv',
  kind: 'python',
  lockfiles: /^uv\.lock$/,
  manifests: MANIFESTS,
  programs: ['uv'],
  command: async () => 'uv sync --frozen --all-extras --all-groups',
  environment: {
    ...VARIABLES,
    UV_PROJECT_ENVIRONMENT: VIRTUAL_ENVIRONMENT,
    UV_PYTHON_DOWNLOADS: 'never',
  },
  online: (url) => ({
    UV_CACHE_DIR: `${HOME_FOLDER}/.uv-cache`,
    UV_LINK_MODE: 'copy',
    ...(url !== null && { UV_DEFAULT_INDEX: `${url}/` }),
    ...(isHttp(url) && { UV_INSECURE_HOST: new URL(url).host }),
  }),
  offline: { UV_OFFLINE: '1', UV_NO_SYNC: '1', PIP_NO_INDEX: '1' },
  projectOutputs: [],
  homeOutputs: ['venv'],
}

const poetry: PrepareTool = {
  name: 'poetry',
  kind: 'python',
  lockfiles: /^poetry\.lock$/,
  manifests: MANIFESTS,
  programs: ['poetry'],
  command: async () => `${MAKE_ENVIRONMENT}\npoetry install --no-interaction --all-extras`,
  environment: { ...VARIABLES, POETRY_VIRTUALENVS_CREATE: 'false' },
  online: (url) => ({ ...pipOnline(url), POETRY_CACHE_DIR: `${HOME_FOLDER}/.poetry-cache` }),
  offline: { PIP_NO_INDEX: '1' },
  projectOutputs: [],
  homeOutputs: ['venv'],
}

export const PYTHON_TOOLS: readonly PrepareTool[] = [uv, poetry, pip]
