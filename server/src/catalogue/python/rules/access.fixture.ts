import type { Example } from '../../example.fixture.ts'

export const examples: Example[] = [
  {
    rule: 'PY-AUTH-01',
    bad: [
      `from django.http import HttpResponse

def purge(request):
    assert request.user.is_staff  # ← here
    return HttpResponse(clear())
`,
      `def remove(user, item):
    assert user.has_perm('shop.delete_item'), 'not allowed'  # ← here
    item.delete()
`,
      `from flask_login import current_user

def admin():
    assert current_user.is_authenticated  # ← here
    return page()
`,
    ],
    good: [
      `from django.core.exceptions import PermissionDenied

def purge(request):
    if not request.user.is_staff:
        raise PermissionDenied
    return clear()
`,
      `def area(width, height):
    assert width > 0
    return width * height
`,
      `def name_of(user):
    assert user is not None
    return user.name
`,
    ],
  },
  {
    rule: 'PY-MASS-01',
    bad: [
      `from django.http import JsonResponse
from .models import Account

def register(request):
    account = Account(**request.POST.dict())  # ← here
    account.save()
    return JsonResponse({})
`,
      `from flask import Flask, request
from models import User
app = Flask(__name__)

@app.route('/users', methods=['POST'])
def create():
    return str(User.objects.create(**request.json))  # ← here
`,
      `from flask import Flask, request
app = Flask(__name__)

@app.route('/me', methods=['PATCH'])
def change():
    person = load()
    for key, value in request.get_json().items():
        setattr(person, key, value)  # ← here
    return 'ok'
`,
    ],
    good: [
      `from flask import Flask, request
from models import User
app = Flask(__name__)

@app.route('/users', methods=['POST'])
def create():
    return str(User.objects.create(name=request.json['name']))
`,
      `from flask import Flask, request
app = Flask(__name__)
FIELDS = ('name', 'email')

@app.route('/me', methods=['PATCH'])
def change():
    person = load()
    for key, value in request.get_json().items():
        if key in FIELDS:
            setattr(person, key, value)
    return 'ok'
`,
      `from rest_framework.views import APIView
from .models import Account

class Accounts(APIView):
    def post(self, request):
        given = AccountSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return Account.objects.create(**given.validated_data)
`,
    ],
  },
  {
    rule: 'PY-JWT-01',
    bad: [
      `import jwt

def who(token):
    return jwt.decode(token, options={'verify_signature': False})['sub']  # ← here
`,
      `import jwt

def who(token, key):
    return jwt.decode(token, key, verify=False)['sub']  # ← here
`,
      `import jwt

def who(token, key):
    return jwt.decode(token, key, algorithms=['HS256', 'none'])['sub']  # ← here
`,
    ],
    good: [
      `import jwt

def who(token, key):
    return jwt.decode(token, key, algorithms=['HS256'])['sub']
`,
      `import jwt

def who(token, keys):
    claimed = jwt.decode(token, options={'verify_signature': False})
    return jwt.decode(token, keys[claimed['iss']], algorithms=['RS256'])['sub']
`,
      `import jwt

def who(token, key):
    return jwt.decode(token, key, algorithms=['RS256'], options={'verify_signature': True})['sub']
`,
    ],
  },
]
