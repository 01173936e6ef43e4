import type { Example } from '../../example.fixture.ts'

export const examples: Example[] = [
  {
    rule: 'PY-TLS-01',
    bad: [
      `import requests

def ask(url):
    return requests.get(url, verify=False)  # ← here
`,
      `import ssl

def context():
    made = ssl.create_default_context()
    made.check_hostname = False
    made.verify_mode = ssl.CERT_NONE  # ← here
    return made
`,
      `import requests

session = requests.Session()
session.verify = False  # ← here
`,
      `import ssl
ssl._create_default_https_context = ssl._create_unverified_context  # ← here
`,
    ],
    good: [
      `import requests

def ask(url):
    return requests.get(url, verify='/etc/ssl/own.pem')
`,
      `import ssl

def context():
    made = ssl.create_default_context()
    made.verify_mode = ssl.CERT_REQUIRED
    return made
`,
      `import requests

def ask(url, verify=True):
    return requests.get(url, verify=verify)
`,
    ],
  },
  {
    rule: 'PY-SSH-01',
    bad: [
      `import paramiko

def connect(host):
    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(paramiko.AutoAddPolicy())  # ← here
    client.connect(host)
`,
      `from paramiko import SSHClient, AutoAddPolicy

client = SSHClient()
client.set_missing_host_key_policy(AutoAddPolicy)  # ← here
`,
      `import paramiko

client = paramiko.SSHClient()
client.set_missing_host_key_policy(paramiko.WarningPolicy())  # ← here
`,
    ],
    good: [
      `import paramiko

client = paramiko.SSHClient()
client.load_system_host_keys()
client.set_missing_host_key_policy(paramiko.RejectPolicy())
`,
      `import paramiko

def connect(host, policy):
    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(policy)
`,
      `import paramiko

client = paramiko.SSHClient()
client.load_host_keys('/srv/known_hosts')
client.connect('build.example.com')
`,
    ],
  },
]
