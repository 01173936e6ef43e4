import type { Example } from '../../example.fixture.ts'

export const examples: Example[] = [
  {
    rule: 'PY-CRYPTO-01',
    bad: [
      `from Crypto.Cipher import DES

def seal(key, text):
    return DES.new(key, DES.MODE_CBC).encrypt(text)  # ← here
`,
      `from Crypto.Cipher import AES

def seal(key, text):
    return AES.new(key, AES.MODE_ECB).encrypt(text)  # ← here
`,
      `from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

def seal(key, iv):
    return Cipher(algorithms.TripleDES(key), modes.CBC(iv))  # ← here
`,
    ],
    good: [
      `from Crypto.Cipher import AES

def seal(key, text):
    return AES.new(key, AES.MODE_GCM).encrypt_and_digest(text)
`,
      `from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

def seal(key, iv):
    return Cipher(algorithms.AES(key), modes.GCM(iv))
`,
      `from cryptography.fernet import Fernet

def seal(key, text):
    return Fernet(key).encrypt(text)
`,
    ],
  },
  {
    rule: 'PY-HASH-01',
    bad: [
      `import hashlib

def keep(password):
    return hashlib.md5(password.encode()).hexdigest()  # ← here
`,
      `import hashlib
from flask import Flask, request
app = Flask(__name__)

@app.route('/sign')
def sign():
    made = hashlib.new('sha1')  # ← here
    made.update(request.args['text'].encode())
    return made.hexdigest()
`,
      `import hashlib

def verify(body, secret):
    return hashlib.sha1(body + secret).hexdigest()  # ← here
`,
    ],
    good: [
      `import hashlib

def keep(password, salt):
    return hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)
`,
      `import hashlib

def etag(body):
    return hashlib.md5(body).hexdigest()
`,
      `import hashlib

def same(token):
    return hashlib.md5(token, usedforsecurity=False).hexdigest()
`,
      `import hashlib
from flask import Flask, request
app = Flask(__name__)
KIND = 'sha256'

@app.route('/sign')
def sign():
    made = hashlib.new(KIND)
    made.update(request.args['text'].encode())
    return made.hexdigest()
`,
    ],
  },
  {
    rule: 'PY-RAND-01',
    bad: [
      `import random
import string

def reset(user):
    user.reset_token = ''.join(random.choice(string.ascii_letters) for _ in range(20))  # ← here
`,
      `import random

def make_otp():
    return str(random.randint(100000, 999999))  # ← here
`,
      `import random
from flask import Flask, make_response
app = Flask(__name__)

@app.route('/login')
def login():
    answer = make_response('ok')
    answer.set_cookie('id', f'{random.getrandbits(64):x}', secure=True)  # ← here
    return answer
`.replace(':x}', '}'),
    ],
    good: [
      `import secrets

def reset(user):
    user.reset_token = secrets.token_urlsafe(20)
`,
      `import random

def reset(user):
    user.reset_token = str(random.SystemRandom().randint(1, 10**9))
`,
      `import random

def wait(attempt):
    delay = random.uniform(0, 2 ** attempt)
    return delay
`,
    ],
  },
]
