import type { Example } from '../../example.fixture.ts'

const FLASK = 'import os\nfrom flask import Flask\napp = Flask(__name__)\n'

export const examples: Example[] = [
  {
    rule: 'PY-DEBUG-01',
    bad: [
      `${FLASK}
if __name__ == '__main__':
    app.run(host='0.0.0.0', debug=True)  # ← here
`,
      `=== shop/settings.py
DEBUG = True  # ← here
INSTALLED_APPS = ['shop']
ROOT_URLCONF = 'shop.urls'
`,
      `${FLASK}
app.config['DEBUG'] = True  # ← here
`,
    ],
    good: [
      `${FLASK}
app.run(debug=os.environ.get('DEBUG') == '1')
`,
      `=== shop/settings/local.py
DEBUG = True
INSTALLED_APPS = ['shop']
ROOT_URLCONF = 'shop.urls'
`,
      `=== shop/settings.py
import os
DEBUG = os.environ.get('DEBUG', '') == '1'
INSTALLED_APPS = ['shop']
ROOT_URLCONF = 'shop.urls'
`,
    ],
  },
  {
    rule: 'PY-CSRF-01',
    bad: [
      `from django.views.decorators.csrf import csrf_exempt
from django.http import HttpResponse

@csrf_exempt
def transfer(request):
    move(request.user, request.POST['to'], request.POST['amount'])
    return HttpResponse('ok')
`,
      `from django.views.decorators.csrf import csrf_exempt
from .models import Note

@csrf_exempt
def remove(request, pk):
    Note.objects.get(pk=pk).delete()
`,
      `${FLASK}
app.config['WTF_CSRF_ENABLED'] = False  # ← here
`,
    ],
    good: [
      `import hmac
from django.views.decorators.csrf import csrf_exempt
from django.http import HttpResponse

@csrf_exempt
def paid(request):
    if not hmac.compare_digest(sign(request.body), request.headers['X-Signature']):
        return HttpResponse(status=401)
    note(request.body)
    return HttpResponse('ok')
`,
      `from django.views.decorators.csrf import csrf_exempt
from django.http import JsonResponse

@csrf_exempt
def health(request):
    return JsonResponse({'ok': True})
`,
      `from django.http import HttpResponse

def transfer(request):
    move(request.user, request.POST['to'])
    return HttpResponse('ok')
`,
    ],
  },
  {
    rule: 'PY-CORS-01',
    bad: [
      `${FLASK}
from flask_cors import CORS
CORS(app, origins='*', supports_credentials=True)  # ← here
`,
      `from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
app = FastAPI()
app.add_middleware(CORSMiddleware, allow_origins=['*'], allow_credentials=True)  # ← here
`,
      `=== shop/settings.py
CORS_ALLOW_ALL_ORIGINS = True  # ← here
CORS_ALLOW_CREDENTIALS = True
`,
    ],
    good: [
      `${FLASK}
from flask_cors import CORS
CORS(app, origins=['https://shop.example.com'], supports_credentials=True)
`,
      `from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
app = FastAPI()
app.add_middleware(CORSMiddleware, allow_origins=['*'])
`,
      `=== shop/settings.py
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_CREDENTIALS = False
`,
    ],
  },
  {
    rule: 'PY-KEY-01',
    bad: [
      `${FLASK}
app.secret_key = 'correct horse battery'  # ← here
`,
      `${FLASK}
app.config['SECRET_KEY'] = 'correct horse battery'  # ← here
`,
      `import jwt

def sign(user):
    return jwt.encode({'sub': user}, 'correct horse battery', algorithm='HS256')  # ← here
`,
    ],
    good: [
      `${FLASK}
app.secret_key = os.environ['SECRET_KEY']
`,
      `import jwt

def sign(user, key):
    return jwt.encode({'sub': user}, key, algorithm='HS256')
`,
      `${FLASK}
app.config['SECRET_KEY'] = os.urandom(32)
`,
    ],
  },
]
