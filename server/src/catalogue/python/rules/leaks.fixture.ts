import type { Example } from '../../example.fixture.ts'

export const examples: Example[] = [
  {
    rule: 'PY-LOG-01',
    bad: [
      `import logging

def login(name, password):
    logging.info('login %s %s', name, password)  # ← here
`,
      `import logging
logger = logging.getLogger(__name__)

def connect(settings):
    logger.debug(f"connecting with {settings.api_key}")  # ← here
`,
      `import logging
log = logging.getLogger(__name__)

def pay(card):
    log.error('declined: ' + card['card_number'])  # ← here
`,
    ],
    good: [
      `import logging

def login(name, password):
    logging.info('login %s', name)
`,
      `import logging
logger = logging.getLogger(__name__)

def connect(settings):
    logger.debug('key ends in %s', settings.api_key[-4:])
`,
      `import logging
logger = logging.getLogger(__name__)

def reset(user):
    logger.info('password of %s was reset', user.name)
    logger.info('has one: %s', bool(user.password))
`,
    ],
  },
  {
    rule: 'PY-TMP-01',
    bad: [
      `import tempfile

def report():
    name = tempfile.mktemp()  # ← here
    return open(name, 'w')
`,
      `from tempfile import mktemp

name = mktemp(suffix='.csv')  # ← here
`,
      `import os

name = os.tempnam('/tmp')  # ← here
`,
    ],
    good: [
      `import tempfile

def report():
    return tempfile.NamedTemporaryFile('w')
`,
      `import tempfile

handle, name = tempfile.mkstemp()
`,
      `def mktemp():
    return 'own'

name = mktemp()
`,
    ],
  },
]
