from django.conf import settings
from django.http import HttpResponse

def login(request):
    answer = HttpResponse('ok')
    answer.set_cookie('auth', 'x', secure=settings.SESSION_COOKIE_SECURE)
    return answer
